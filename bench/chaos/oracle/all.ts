import { checkEffects } from "@/bench/chaos/oracle/effects";
import type { Check, End } from "@/bench/chaos/oracle/end";
import {
  checkCheckpoints,
  checkCommands,
  checkFencing,
  checkHeads,
  checkLedgers,
  checkSettled,
  checkTrust,
} from "@/bench/chaos/oracle/ledgers";
import { checkConnections, checkDeaths, checkFaults, checkLog, checkMemory, checkTakeover } from "@/bench/chaos/oracle/processes";

const ORACLES: readonly ((end: End) => Check)[] = [
  checkSettled,
  checkEffects,
  checkLedgers,
  checkHeads,
  checkFencing,
  checkCommands,
  checkCheckpoints,
  checkTrust,
  checkTakeover,
  checkDeaths,
  checkMemory,
  checkConnections,
  checkLog,
  checkFaults,
];

export const judge = (end: End): Check[] => ORACLES.map((oracle) => oracle(end));
