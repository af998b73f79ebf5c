/** Outside of the sandbox: engines mount. */
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { systemClock } from "@/server/clock";
import { readEngineEnvironment, readEnv } from "@/server/env";
import { hasBroker } from "./socket";
import { log } from "@/server/log";
import { getMcpPolicy } from "@/server/security/mcp-policy";
import { openBroker } from "./broker";

const LOOK_EVERY_MS = 5_000;
const { COUNTERSIGN_HOME: home } = readEnv();

/** A second supervisor of one state folder stands by. */
while (await hasBroker(home)) await wait(LOOK_EVERY_MS);

const broker = await openBroker({
  installation: { home, root: process.cwd() },
  env: readEngineEnvironment(),
  clock: systemClock,
  egress: getMcpPolicy(),
  relay: path.join(import.meta.dirname, "container-relay.mjs"),
});
log().info("containers can be started");

process.once("SIGTERM", () => void broker.close().finally(() => process.exit(0)));
