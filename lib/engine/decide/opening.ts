import { opensCase } from "@/lib/graph/kind-of";
import { toArtifactSource } from "@/lib/artifact";
import { getShownTo } from "@/lib/engine/approvals/policy";
import { findWithheld, NOTHING_SEALED, placeKey } from "@/lib/engine/labels/reading";
import { createSourceLabel } from "@/lib/graph/label";
import { refuse } from "@/lib/refusal";
import { findNodeById, type DecideContext } from "@/lib/engine/decide/context";
import { accept, reject, type Verdict } from "@/lib/engine/decide/verdict";
import type { Principal } from "@/lib/engine/principal";
import { findCellsAt, ownEntry, type CaseState, type Cell, type RunState } from "@/lib/engine/state";

type Person = Principal & { readonly type: "user" };
type Asked = DecideContext<"open_cell">;

const isCell = ({ seq, index }: Asked["body"], cell: Cell): boolean => cell.seq === seq && cell.index === index;

/** Visible; overwritten ones are only on record. */
const cellIn = (state: RunState, body: Asked["body"]): Cell | undefined =>
  [state.cells, state.aside, ...state.frames.map(({ outer }) => outer.cells)].flat().find((cell) => isCell(body, cell));

const isDesignated = (state: RunState, { case: { reviewers, producers } }: CaseState, { id, role }: Person): boolean =>
  reviewers.some((reviewer) => reviewer.type === "person" && reviewer.role === role) &&
  !producers.includes(`user:${id}`) &&
  !state.drivers.includes(id) &&
  state.start?.initiator !== id &&
  state.fork?.initiators.includes(id) !== true;

const isOfCase = ({ published, state, body }: Asked, { case: { node: id, subject } }: CaseState): boolean => {
  const node = findNodeById(published, id);
  const from = opensCase(node) ? node.config.source : undefined;
  const cell = state.cells.find((candidate) => isCell(body, candidate));
  if (!cell) return false;
  const isSubject =
    subject.type === "cell" &&
    subject.cells.some(({ path, seq, commitment }) => path === cell.path && seq === cell.seq && commitment === cell.commitment);

  return isSubject || (from !== undefined && findCellsAt(state.cells, from).includes(cell));
};

const isForReview = (asked: Asked, person: Person): boolean => {
  const { state, proposal, body } = asked;
  const found = body.case_id === undefined ? undefined : ownEntry(state.cases, body.case_id);

  return (
    found !== undefined &&
    found.status === "open" &&
    proposal.at < found.case.expires_at &&
    isDesignated(state, found, person) &&
    isOfCase(asked, found)
  );
};

const isFileOfCell = (asked: Asked, { role }: Person): boolean => {
  const { state, body } = asked;
  const cell = cellIn(state, body);
  if (!cell || body.file === undefined || !cell.label.provenance.includes(toArtifactSource(body.file))) return false;
  const isUnderReview = Object.values(state.cases).some((found) => found.status === "open" && isOfCase(asked, found));
  const sealed = isUnderReview ? new Set([placeKey(cell)]) : NOTHING_SEALED;

  return findWithheld({ clearance: getShownTo(role), sealed }, { label: cell.label, from: [cell] }) === null;
};

const mayOpen = (asked: Asked, person: Person): boolean => {
  const { purpose } = asked.body;
  switch (purpose) {
    case "audit":
      return person.auditor;
    case "review":
      return isForReview(asked, person);
    case "file":
      return isFileOfCell(asked, person);
    default:
      return purpose satisfies never;
  }
};

export const decideOpening = (asked: Asked): Verdict => {
  const { state, proposal, body } = asked;
  const { principal } = proposal;
  const isThere = body.seq < state.version;
  if (principal.type !== "user" || !isThere || !mayOpen(asked, principal)) return reject(refuse("opening_denied"), state.currentNode);

  const { reason } = body;
  const by = createSourceLabel("trusted", "internal", `user:${principal.id}`);

  return accept({
    events: [
      {
        type: "cell_opened",
        path: cellIn(state, body)?.path ?? "",
        seq: body.seq,
        index: body.index,
        by: `user:${principal.id}`,
        purpose: body.purpose,
        case_id: body.purpose === "review" ? (body.case_id ?? null) : null,
        ...(body.purpose === "file" && body.file !== undefined ? { file: body.file } : {}),
      },
    ],
    writes: reason === undefined ? [] : [{ path: "$reason", value: reason.toWellFormed(), label: by }],
    node: state.currentNode,
  });
};
