import { getCommentPath } from "@/lib/engine/decide/comment";
import { findWithheld, type Reader } from "@/lib/engine/labels/reading";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { findAside, getKnownValue, type RunState } from "@/lib/engine/state";

type Said = { readonly state: RunState; readonly records: readonly SignedRecord[] };

export type ShownComment = {
  readonly seq: number;
  readonly user: string;
  /** ms since 1970 */
  readonly at: number;
  /** Null: hidden from this reader. */
  readonly text: string | null;
};

export const listComments = ({ state, records }: Said, reader: Reader, approvalId?: string): ShownComment[] =>
  findAside(state, getCommentPath(approvalId)).flatMap((cell) => {
    const record = records[cell.seq]?.record;
    const said = record?.control.find((event) => event.type === "commented" && event.approval_id === approvalId);
    const text = findWithheld(reader, { label: cell.label, from: [cell] }) === null ? getKnownValue(cell) : null;

    return record && said?.type === "commented"
      ? [{ seq: record.seq, user: said.user, at: record.at, text: typeof text === "string" ? text : null }]
      : [];
  });
