import { expect, it } from "vitest";
import { MAX_FORK_DEPTH } from "@/lib/engine/forks/fork";
import { chainOf, storedOf } from "@/lib/engine/testing/ledger";
import { uuid } from "@/lib/engine/testing/run";
import { testWorkspace } from "@/lib/engine/testing/workspace";
import { parseRecord } from "@/lib/engine/ledger/stored-record";
import { verifyWorkspaceExport } from "@/lib/engine/verify/verify-workspace-export";
import type { WorkspaceExport } from "@/lib/engine/ledger/workspace-export";

/** All fork at the first record, so each reads the whole chain. */
const chained = async (depth: number): Promise<{ document: WorkspaceExport; last: string }> => {
  const { document, key } = await testWorkspace();
  const runs = [...Map.groupBy(document.records, ({ run }) => run).values()];
  const root = runs[0] ?? [];
  const first = runs.flatMap((own) => own.slice(0, 1)).find(({ seq }) => seq > 0);
  const fork = first && parseRecord(first)?.record;
  const before = root[(fork?.seq ?? 0) - 1];
  if (!fork || !before) throw new Error("there is a fork");
  const records = [...root];
  let parent = fork.control.flatMap((event) => (event.type === "run_forked" ? [event.parent_run] : []))[0] ?? "";
  for (let at = 0; at < depth; at += 1) {
    const run = uuid(1_000 + at);
    const control = fork.control.map((event) => (event.type === "run_forked" ? { ...event, run, parent_run: parent } : event));
    const [signed] = await chainOf([{ ...fork, run, control }], key, before.digest);
    if (signed) records.push({ run, ...storedOf(signed) });
    parent = run;
  }
  const ends = new Map(records.map(({ run, seq, digest }) => [run, { run, version: seq + 1, digest }]));

  return { document: { ...document, records, heads: [...ends.values()], leaves: [], checkpoints: [] }, last: parent };
};

it("follows forks of forks to the maximum depth and no deeper", async () => {
  const deep = await chained(MAX_FORK_DEPTH);
  expect(await verifyWorkspaceExport(deep.document, deep.document.public_keys)).toMatchObject({ ok: true, runs: MAX_FORK_DEPTH + 1 });

  const deeper = await chained(MAX_FORK_DEPTH + 2);
  expect(await verifyWorkspaceExport(deeper.document, deeper.document.public_keys)).toMatchObject({ ok: false, reason: "fork_parent" });
});
