/** Only this file knows where an installation reports problems. */
import { auditWorkspace } from "@/server/runner/audit";
import { queryOn } from "@/server/testing/connections";
import { verifyRun } from "./facts";
import type { World } from "./world";

/** These should never happen. */
const ALARM = /^countersign_(?:trust_alarms|rollbacks)_total\{(?:reason|kind)="(\w+)"\} (?!0(?:\.0*)?$)/u;

const frozen = async ({ desk }: World): Promise<string[]> => {
  const rows = await queryOn<{ frozen: string }>(
    desk.urls.admin,
    "select frozen from run where workspace_id = $1 and frozen is not null order by id",
    [desk.workspace],
  );

  return rows.map((row) => `frozen: ${row.frozen}`);
};

const refusals = async ({ desk }: World): Promise<string[]> => {
  const rows = await queryOn<{ code: string }>(
    desk.urls.admin,
    `select distinct outcome #>> '{refusal,code}' as code from command where workspace_id = $1 and status = 'refused'
     union select distinct outcome ->> 'message' from registry_command where workspace_id = $1 and status = 'refused'`,
    [desk.workspace],
  );

  return rows.flatMap(({ code }) => (code === null ? [] : [`refused: ${code}`]));
};

const verdicts = async (world: World): Promise<string[]> => {
  const rows = await queryOn<{ id: string }>(world.desk.urls.admin, "select id from run where workspace_id = $1", [world.desk.workspace]);
  const found = await Promise.all(rows.map(({ id }) => verifyRun(world, id)));

  return found.flatMap((verdict) => (verdict && !verdict.ok ? [`verification: ${verdict.reason}`] : []));
};

/** Like `countersign verify --checkpoint`. */
const audits = async ({ desk, kept }: World): Promise<string[]> => {
  const keys = await desk.deps.publicKeys();
  const found = await Promise.all(kept.map((checkpoint) => auditWorkspace(desk.deps.vault, checkpoint, keys)));

  return found.flatMap((audit) => (audit.ok ? [] : [`audit: ${audit.reason}`]));
};

const alarms = async ({ metricsUrl }: World): Promise<string[]> => {
  const page = await fetch(metricsUrl).then(
    (answer) => answer.text(),
    () => "",
  );
  if (page === "") return ["the runner has ended"];

  return page.split("\n").flatMap((line) => {
    const [, reason] = ALARM.exec(line) ?? [];

    return reason === undefined ? [] : [`alarm: ${reason}`];
  });
};

const denialNames = ({ denied }: World): string[] => [...denied];

/** Returns the first reported problem; null: none. */
export const findNotice = async (world: World): Promise<string | null> => {
  const requests = [
    ...(await frozen(world)),
    ...(await verdicts(world)),
    ...(await audits(world)),
    ...(await alarms(world)),
    ...(await refusals(world)),
    ...denialNames(world),
  ];

  return requests[0] ?? null;
};
