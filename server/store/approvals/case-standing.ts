import { z } from "zod";
import { isJsonObject, ownMember, type Json } from "@/lib/json";
import { runRead } from "@/server/db/client";
import { columnsOf, queryRows, type SqlClient } from "@/server/store/sql/rows";

const kinRow = z.object({ id: z.string(), graphHash: z.string(), version: z.number(), head: z.string() });
export type Kin = Readonly<z.infer<typeof kinRow>>;

// A table suggests the forks; their records decide.
const KIN = `
with recursive line as (
  select id, parent_run from run where workspace_id = $1 and id = $2
  union
  select parent.id, parent.parent_run from line join run parent on parent.workspace_id = $1 and parent.id = line.parent_run
), asked as (
  select run.id as found, run.id, run.parent_run from run
  where run.workspace_id = $1 and run.id in (select run_id from review_case where workspace_id = $1 and status = 'open')
  union
  select asked.found, parent.id, parent.parent_run from asked join run parent on parent.workspace_id = $1 and parent.id = asked.parent_run
)
select ${columnsOf(kinRow)} from run
where workspace_id = $1 and id in (select id from line union select found from asked where id in (select id from line))`;

const markRow = z.object({ runId: z.string(), body: z.string() });

const MARKS = `
select ${columnsOf(markRow)} from unnest($2::uuid[], $3::int[], $4::int[]) as wanted (id, from_seq, to_seq)
join ledger_record on workspace_id = $1 and run_id = wanted.id and seq >= from_seq and seq < to_seq
where body like '%"type":"case\\_opened"%' or body like '%"type":"case\\_closed"%' order by run_id, seq`;

/** Ledgers only grow, so reads continue here. */
type Read = { readonly until: number; readonly open: ReadonlySet<string> };

const MOST_READ = 2_000;
const known = new Map<string, Read>();

const remember = (id: string, read: Read): void => {
  known.delete(id);
  known.set(id, read);
  const [oldest] = known.keys();
  if (known.size > MOST_READ && oldest !== undefined) known.delete(oldest);
};

/** A head that went back means another ledger. */
const readOf = ({ id, version }: Kin): Read => {
  const read = known.get(id);

  return read && read.until <= version ? read : { until: 0, open: new Set() };
};

const controlSchema = z.object({ control: z.array(z.json()) });

const eventsIn = (body: string): readonly Json[] => controlSchema.parse(JSON.parse(body)).control;

const openAfter = (before: ReadonlySet<string>, bodies: readonly string[]): ReadonlySet<string> => {
  const open = new Set(before);
  for (const event of bodies.flatMap(eventsIn)) {
    const found = ownMember(event, "case");
    const [opened, closed] = [isJsonObject(found) ? found["id"] : undefined, ownMember(event, "case_id")];
    if (ownMember(event, "type") === "case_opened" && typeof opened === "string") open.add(opened);
    if (ownMember(event, "type") === "case_closed" && typeof closed === "string") open.delete(closed);
  }

  return open;
};

const markedAmong = async (client: SqlClient, workspaceId: string, kin: readonly Kin[]): Promise<readonly Kin[]> => {
  const before = kin.map(readOf);
  const wanted = [kin.map(({ id }) => id), before.map(({ until }) => until), kin.map(({ version }) => version)];
  const marks = await queryRows(client, markRow, { name: "case-marks", text: MARKS, values: [workspaceId, ...wanted] });
  const bodies = Map.groupBy(marks, ({ runId }) => runId);

  return kin.filter(({ id, version }, index) => {
    const open = openAfter(
      before[index]?.open ?? new Set(),
      (bodies.get(id) ?? []).map(({ body }) => body),
    );
    remember(id, { until: version, open });

    return open.size > 0;
  });
};

export type CaseStanding = {
  readonly run: Kin | undefined;
  readonly open: readonly Kin[];
};

/** Finds relatives with an open case. @throws SyntaxError or ZodError for a malformed record */
export const getCaseStanding = (workspaceId: string, runId: string): Promise<CaseStanding> =>
  runRead(workspaceId, async (client) => {
    const kin = await queryRows(client, kinRow, { name: "case-kin", text: KIN, values: [workspaceId, runId] });

    return { run: kin.find(({ id }) => id === runId), open: await markedAmong(client, workspaceId, kin) };
  });
