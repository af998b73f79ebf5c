/** Shredding destroys cells on record; an unrecorded gap is tampering. */
import { z } from "zod";
import type { HexDigest } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";
import { isAtOrBelow, parsePath, pathSchema } from "@/lib/graph/path";
import type { RefusalCode } from "@/lib/refusal";
import type { RunEvent } from "@/lib/engine/event";
import { stripPrefix } from "@/lib/engine/frame";
import { NOT_RETIRED, type Retired } from "@/lib/engine/ledger/handover";
import type { Principal } from "@/lib/engine/principal";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { shredReasonSchema } from "@/lib/engine/ledger/shred-reason";
import { verifyRecord, type StoredRecord } from "@/lib/engine/ledger/stored-record";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import type { Cell, RunState } from "@/lib/engine/state";
import { ownRecord, getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";

const place = z.number().int().min(0);

/** Shared cells belong to the parent. */
export const shredScopeSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("run") }),
  z.strictObject({ type: z.literal("path"), path: pathSchema }),
  z.strictObject({ type: z.literal("cell"), seq: place, index: place }),
]);
export type ShredScope = z.infer<typeof shredScopeSchema>;

export const shredCommandSchema = z.strictObject({
  kind: z.literal("shred"),
  run: uuidSchema,
  scope: shredScopeSchema,
  reason: shredReasonSchema,
});
export type ShredCommand = z.infer<typeof shredCommandSchema>;

/** Returns whether a cell is in scope. Engine cells never are. */
export const isInScope = (scope: ShredScope, cell: { readonly seq: number; readonly index: number; readonly path: string }): boolean => {
  switch (scope.type) {
    case "run":
      return true;
    case "cell":
      return cell.seq === scope.seq && cell.index === scope.index;
    case "path": {
      const below = cell.path.startsWith("$") ? null : parsePath(stripPrefix(cell.path));
      const wanted = parsePath(scope.path);

      return below !== null && wanted !== null && isAtOrBelow(below, wanted);
    }
    default:
      return scope satisfies never;
  }
};

export type ShredEvent = Extract<RunEvent, { type: "cells_shredded" }>;

type Asked = {
  readonly id: string;
  readonly workspace: string;
  readonly at: number;
  readonly principal: Principal;
  readonly body: ShredCommand;
};

/**
 * Builds the next workspace record.
 * @param end null: empty ledger
 */
export const shredRecord = (
  asked: Asked,
  outcome: ShredEvent["cells"] | RefusalCode,
  end: { readonly version: number; readonly head: HexDigest } | null,
): LedgerRecord => {
  const { run, reason } = asked.body;

  return ownRecord(asked, typeof outcome === "string" ? outcome : { type: "cells_shredded", run, reason, cells: outcome }, end);
};

export const getShreddedKey = (run: string, seq: number, index: number): string => `${run} ${seq} ${index}`;

/** Returns shredded cells by `getShreddedKey`. */
export const collectShredded = async (
  workspace: string,
  records: readonly StoredRecord[],
  keys: PublicKeys,
  retired: Retired = NOT_RETIRED,
): Promise<ReadonlySet<string>> => {
  const ledger = getWorkspaceLedgerId(workspace);
  const named = new Set<string>();
  for (const stored of records) {
    const record = (await verifyRecord(stored, keys, retired))?.record;
    if (!record || record.workspace !== workspace || record.run !== ledger) continue;
    for (const event of record.control) {
      if (event.type !== "cells_shredded") continue;
      for (const cell of event.cells) named.add(getShreddedKey(event.run, cell.seq, cell.index));
    }
  }

  return named;
};

export const findMissingCell = (state: Pick<RunState, "cells" | "aside" | "frames" | "position">): Cell | undefined =>
  [state.cells, state.aside, ...state.frames.map(({ outer }) => outer.cells), state.position?.cells ?? []]
    .flat()
    .find(({ content }) => !content.known);
