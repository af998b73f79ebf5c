import { z } from "zod";
import { getShownTo } from "@/lib/engine/approvals/policy";
import { getOpenedValue } from "@/lib/engine/verify/verify";
import { getFactSubject, listRetracted } from "@/lib/facts/retractions";
import { labelSchema } from "@/lib/graph/label";
import { openCells } from "@/server/reading/open-cells";
import { sealedCells } from "@/server/reading/sealed-cells";
import { factCursorSchema, listFacts, type FactRow } from "@/server/store/runs/facts";
import { createProcedure } from "@/server/trpc/init";
import { readAuthority } from "@/server/web/authority";
import { getWebVault } from "@/server/web/web-vault";

const PAGE = 100;
const TOPIC_AT = "$fact.".length;
const MICROSECONDS_PER_MS = 1_000;

const input = z.strictObject({
  search: z.string().max(200).default(""),
  cursor: factCursorSchema.nullish(),
  direction: z.literal("forward").optional(),
});

const readFacts = async (workspaceId: string, rows: readonly FactRow[], clearance: ReturnType<typeof getShownTo>) => {
  const vault = getWebVault();
  const opened = await Promise.all(
    [...Map.groupBy(rows, ({ runId }) => runId)].map(async ([run, found]) => {
      const sealed = await sealedCells(vault, workspaceId, run, found);
      const cells = openCells(
        vault,
        workspaceId,
        found.map(({ foundAt: _at, graph: _graph, ...cell }) => cell),
        { clearance, sealed },
      );

      return cells.map((cell) => [getFactSubject({ run, ...cell }), cell] as const);
    }),
  );
  const bySubject = new Map(opened.flat());

  return rows.map(({ runId: run, seq, index, path, foundAt, graph }) => {
    const subject = getFactSubject({ run, seq, index });
    const cell = bySubject.get(subject);
    const value = cell && getOpenedValue(cell);

    return {
      subject,
      run,
      seq,
      index,
      graph,
      topic: path.slice(TOPIC_AT),
      foundAt: Math.floor(Number(foundAt) / MICROSECONDS_PER_MS),
      label: labelSchema.safeParse(cell?.label).data ?? null,
      text: typeof value === "string" ? value : null,
      isDestroyed: cell?.opened === "shredded",
    };
  });
};

/** Hidden facts match a search by topic only. */
export const factsList = createProcedure("run.read")
  .input(input)
  .query(async ({ ctx: { workspaceId, role }, input: { search, cursor } }) => {
    const [rows, authority] = await Promise.all([listFacts(workspaceId, cursor ?? null, PAGE), readAuthority(workspaceId)]);
    const retracted = new Set(listRetracted(authority));
    const wanted = search.trim().toLowerCase();
    const facts = (await readFacts(workspaceId, rows, getShownTo(role))).filter(
      ({ topic, text }) => topic.toLowerCase().includes(wanted) || (text?.toLowerCase().includes(wanted) ?? false),
    );
    const last = rows.length === PAGE ? rows.at(-1) : undefined;

    return {
      facts: facts.map(({ subject, ...fact }) => ({ ...fact, isRetracted: retracted.has(subject) })),
      nextCursor: last ? `${last.foundAt}/${getFactSubject({ run: last.runId, seq: last.seq, index: last.index })}` : null,
    };
  });
