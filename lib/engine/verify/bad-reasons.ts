import type { BadReason } from "@/lib/engine/verify/verify";

export const BAD_REASON_TEXT = {
  malformed: "What is stored is not a record.",
  hash: "The record's text is not what its digest names.",
  link: "The record does not follow the one before it.",
  signature: "The signature does not belong to this record and key.",
  seq_gap: "A record is missing or out of order.",
  truncated: "Records are missing at the end: the run's head names another one.",
  wrong_run: "The record belongs to another run.",
  unknown_key: "The record is signed with a key that is not known here.",
  retired_key: "The record says that it is later than the moment from which its key signs nothing any more.",
  receipt: "An approval receipt in the record is not validly signed.",
  passkey: "An approval was not signed with a passkey, although it has to be, or the signature is not that person's about exactly this.",
  commitment: "A value is not the one that was committed to.",
  cell_missing: "A value that the record wrote is missing, and no signed record says that it was shredded.",
  cell_label: "A value's path or label is not the one that was recorded.",
  cell_extra: "There is a value that no record wrote.",
  cell_unreadable: "A value cannot be opened: it was changed or moved, or the version of the vault key that it needs is gone.",
  fork_parent: "The fork does not go on from the record that it names.",
} as const satisfies Record<BadReason, string>;
