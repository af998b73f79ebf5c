import { joinLabels, type Label } from "@/lib/graph/label";
import { blame, listDependencies, isNoMoreTrusted, type Step, type Via } from "@/lib/engine/labels/blame";
import { indexLedger } from "@/lib/engine/ledger/ledger-index";
import type { LedgerRecord } from "@/lib/engine/ledger/record";

/** `write` null: the record's decision. */
export type TaintStep = {
  readonly seq: number;
  readonly node: string | null;
  readonly proposalKind: string;
  readonly path: string | null;
  readonly via: Via | "written";
  readonly label: Label;
};

export type TaintChain = { readonly source: string; readonly steps: readonly TaintStep[] };

export type Taint = { readonly label: Label; readonly chains: readonly TaintChain[] };

type Trail = { readonly step: Step | Omit<Step, "via">; readonly via: TaintStep["via"]; readonly towards: Trail | null };

const stepsOf = (bySeq: ReadonlyMap<number, LedgerRecord>, trail: Trail | null): TaintStep[] => {
  const steps: TaintStep[] = [];
  for (let at = trail; at !== null; at = at.towards) {
    const record = bySeq.get(at.step.seq);
    steps.push({
      seq: at.step.seq,
      node: record?.node ?? null,
      proposalKind: record?.proposal_kind ?? "",
      path: at.step.write?.path ?? null,
      via: at.via,
      label: at.step.label,
    });
  }

  return steps;
};

const toolOf = (records: readonly LedgerRecord[], record: LedgerRecord): string | null => {
  const settled = record.control.find((event) => event.type === "effect_settled");
  if (settled?.type !== "effect_settled") return null;
  const { bySeq, intended: places } = indexLedger(records);
  const intended = bySeq
    .get(places.get(settled.effect_id)?.[0] ?? -1)
    ?.control.find((event) => event.type === "effect_intended" && event.effect_id === settled.effect_id);

  return intended?.type === "effect_intended" ? `mcp:${intended.effect.server}/${intended.effect.tool}` : null;
};

const ownSources = (label: Label, dependencies: readonly Step[]): readonly string[] => {
  const inherited = joinLabels(dependencies.map((step) => step.label)).provenance;

  return label.provenance.filter((source) => !inherited.includes(source));
};

const originsHere = (
  record: LedgerRecord,
  label: Label,
  dependencies: readonly Step[],
  tool: string | null,
  isFirst: boolean,
): readonly string[] => {
  if (tool !== null) return [tool];
  const own = ownSources(label, dependencies);
  if (!isFirst) return own.filter((source) => source.startsWith("node:"));

  return own.length > 0 ? own : [`record:${record.seq}`];
};

/**
 * Explains taint, shortest chains first; null: trusted or empty.
 * @param path see `toLedgerPath`
 */
export const explainTaint = (records: readonly LedgerRecord[], path: string, seq: number): Taint | null => {
  const writes = blame(records, path, seq);
  const label = joinLabels(writes.map((write) => write.label));
  if (writes.length === 0 || label.integrity === "trusted") return null;

  const { bySeq } = indexLedger(records);
  const isTainted = (step: { readonly label: Label }) => isNoMoreTrusted(step.label, label.integrity);
  // Breadth first, so the first path is shortest.
  const queue: Trail[] = writes
    .filter(isTainted)
    .map((write) => ({ step: { seq: write.seq, write, label: write.label }, via: "written", towards: null }));
  const seen = new Set<string>();
  const chains = new Map<string, TaintChain>();
  for (let index = 0; index < queue.length; index += 1) {
    const trail = queue[index];
    const record = trail && bySeq.get(trail.step.seq);
    const key = trail ? `${trail.step.seq}/${trail.step.write?.index ?? "-"}` : "";
    if (!trail || !record || seen.has(key)) continue;
    seen.add(key);
    const dependencies = listDependencies(records, record);
    const tainted = dependencies.filter(isTainted);
    const tool = toolOf(records, record);
    for (const source of originsHere(record, trail.step.label, dependencies, tool, tainted.length === 0)) {
      if (!chains.has(source)) chains.set(source, { source, steps: stepsOf(bySeq, trail) });
    }
    for (const step of tainted) queue.push({ step, via: step.via, towards: trail });
  }

  return { label, chains: [...chains.values()].toSorted((a, b) => a.steps.length - b.steps.length) };
};
