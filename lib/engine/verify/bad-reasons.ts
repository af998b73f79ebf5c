import type { BadReason } from "@/lib/engine/verify/verify";

export const BAD_REASON_TEXT = {
  malformed: "The stored data is not a valid record.",
  hash: "The record's text does not match its digest.",
  link: "The record does not link to the previous one.",
  signature: "The signature does not match this record and key.",
  seq_gap: "A record is missing or out of order.",
  truncated: "Records are missing at the end: the run's head names a different record.",
  wrong_run: "The record belongs to another run.",
  unknown_key: "The record is signed with an unknown key.",
  retired_key: "The record is dated after its signing key was retired.",
  receipt: "An approval receipt in the record has an invalid signature.",
  passkey: "An approval that requires a passkey has no valid passkey signature of that person for this decision.",
  approvers: "An approval names who decides, and others decided it, or too few.",
  commitment: "A value does not match its commitment.",
  cell_missing: "A value that the record wrote is missing, and no signed record says it was shredded.",
  cell_label: "A value's path or label differs from the recorded one.",
  cell_extra: "A value exists that no record wrote.",
  cell_unreadable: "A value can't be decrypted: it was changed or moved, or its vault key version is missing.",
  fork_parent: "The fork does not start from the record it names.",
} as const satisfies Record<BadReason, string>;
