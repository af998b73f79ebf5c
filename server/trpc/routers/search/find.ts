import { z } from "zod";
import { runFilterSchema } from "@/lib/engine/run-filter";
import { isAllowed, type Permission } from "@/lib/roles";
import { listRuns } from "@/server/store/runs/list";
import { searchApprovals, searchGraphs, searchPeople, searchServers } from "@/server/store/workspaces/search";
import { createProcedure } from "@/server/trpc/init";

const MOST = 5;

export type SearchHit = {
  readonly kind: "graph" | "run" | "record" | "approval" | "server" | "person";
  readonly id: string;
  readonly label: string;
  readonly about: string;
  readonly href: string;
};

/** `4f2a1b#12`: record 12 of the runs whose ids begin so. */
const RECORD = /^(?<run>[0-9a-f][0-9a-f-]{1,35})#(?<seq>\d{1,7})$/u;

type Reader = { readonly workspaceId: string; readonly userId: string };

const findRuns = async (reader: Reader, text: string): Promise<SearchHit[]> => {
  const { runs } = await listRuns(reader, runFilterSchema.parse({ text }), { cursor: null, limit: MOST });

  return runs.map(({ id, graphName, status, initiatorName }) => ({
    kind: "run",
    id,
    label: `${graphName} ${id.slice(0, 8)}`,
    about: `${status}, started by ${initiatorName}`,
    href: `/runs/${id}`,
  }));
};

const findRecords = async (reader: Reader, text: string): Promise<SearchHit[]> => {
  const { run = "", seq = "" } = RECORD.exec(text.toLowerCase())?.groups ?? {};
  if (run === "") return [];
  const { runs } = await listRuns(reader, runFilterSchema.parse({ text: run }), { cursor: null, limit: MOST });

  return runs
    .filter(({ id, version }) => id.startsWith(run) && Number(seq) < version)
    .map(({ id, graphName }) => ({
      kind: "record",
      id: `${id}#${seq}`,
      label: `Record ${Number(seq)} of ${graphName} ${id.slice(0, 8)}`,
      about: "",
      href: `/runs/${id}?t=${Number(seq)}`,
    }));
};

/** Finds objects that the reader may list, by name or id. */
export const searchFind = createProcedure("settings.own")
  .input(z.strictObject({ text: z.string().trim().min(2).max(100) }))
  .query(async ({ ctx, input: { text } }): Promise<readonly SearchHit[]> => {
    const { workspaceId, role, auditor } = ctx;
    const reader = { workspaceId, userId: ctx.user.id };
    const by = async (permission: Permission, find: () => Promise<SearchHit[]>): Promise<SearchHit[]> =>
      isAllowed(role, permission, auditor) ? find() : [];
    const found = await Promise.all([
      by("graph.read", async () =>
        (await searchGraphs(workspaceId, text)).map(({ id, name }) => ({
          kind: "graph",
          id,
          label: name,
          about: "",
          href: `/graphs/${id}`,
        })),
      ),
      by("run.read", () => findRecords(reader, text)),
      by("run.read", () => findRuns(reader, text)),
      by("approval.read", async () =>
        (await searchApprovals(workspaceId, text)).map(({ id, node, prompt, status }) => ({
          kind: "approval",
          id,
          label: prompt === "" ? node : prompt,
          about: `${node}, ${status}`,
          href: `/approvals/${id}`,
        })),
      ),
      by("mcp.read", async () =>
        (await searchServers(workspaceId, text)).map(({ id, name, status }) => ({
          kind: "server",
          id,
          label: name,
          about: status,
          href: `/admin/mcp/${id}`,
        })),
      ),
      by("people.read", async () =>
        (await searchPeople(workspaceId, text)).map(({ id, name, email, role: of }) => ({
          kind: "person",
          id,
          label: name,
          about: `${email}, ${of}`,
          href: "/admin/people",
        })),
      ),
    ]);

    return found.flat();
  });
