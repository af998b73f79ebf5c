/** Alarms about possible tampering. */
import { z } from "zod";
import { uuidSchema } from "@/lib/ids";

export const ALARM_KINDS = [
  /** Unknown or already retired. */
  "unknown_key",
  /** A stored ledger fails verification. */
  "ledger_invalid",
  /** No operator confirmed the database's signing keys. */
  "unconfirmed_keys",
  /** One of two keys did not sign the hand-over. */
  "forged_handover",
  /** A row contradicts the signed records. */
  "projection_mismatch",
  /** Another person or run than was signed. */
  "forged_command",
  "head_rolled_back",
] as const;
export type AlarmKind = (typeof ALARM_KINDS)[number];

export const ALARM_TEXT: Readonly<Record<AlarmKind, { readonly title: string; readonly advice: string }>> = {
  unknown_key: {
    title: "A record is signed with an unknown key",
    advice: "The run is frozen. Find out who can write to the database, and compare it with a backup.",
  },
  ledger_invalid: {
    title: "A stored ledger fails verification",
    advice: "The run is frozen. Find out who can write to the database, and compare it with a backup.",
  },
  unconfirmed_keys: {
    title: "The database contains unconfirmed signing keys",
    advice: "Runs signed with them are frozen. After an upgrade, list them and confirm the first genuine key: countersign keys adopt.",
  },
  forged_handover: {
    title: "The database contains a forged hand-over of the signing key",
    advice: "It is ignored, and the runner keeps its key. Find out who can write to the database.",
  },
  projection_mismatch: {
    title: "A row in the database disagrees with the signed records",
    advice: "The row is ignored. Find out who can write to the database.",
  },
  forged_command: {
    title: "A command in the database was not sent by the person it names",
    advice: "The command was refused. Find out who can write to the database.",
  },
  head_rolled_back: {
    title: "A run was rolled back to an earlier record",
    advice: "The run is frozen. If you restored a backup, start with --restored. Otherwise, find out who can write to the database.",
  },
};

/** Run id `getWorkspaceLedgerId`. */
export const alarmCommandSchema = z.strictObject({ kind: z.literal("acknowledge_alarm"), alarm: uuidSchema });
export type AlarmCommand = z.infer<typeof alarmCommandSchema>;
