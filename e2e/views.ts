/** Pages, and states that need more than an address, for axe and sheets of pictures. */
import { expect, type Locator, type Page } from "@playwright/test";
import { DEMO_GRAPH_ID } from "../server/seed/workflows.ts";
import { changeCircuit } from "./database.ts";
import { savedRevision } from "./editor.ts";
import { askToConnect } from "./oauth.ts";
import { signInAs, type Person } from "./people.ts";
import { mutate, query } from "./wire.ts";

/** `close` undoes what later tests would notice. */
export type View = { readonly name: string; readonly open: (page: Page) => Promise<void>; readonly close?: (page: Page) => Promise<void> };

/** Null: without a session. */
export type Seen = { readonly by: Person | null; readonly views: readonly View[] };

const open = async (page: Page, path: string, shows: Locator): Promise<void> => {
  await page.goto(path);
  await expect(shows.first()).toBeVisible();
};

/** Shown once its placeholders are gone. */
const at = (name: string, path: string): View => ({
  name,
  open: async (page) => {
    await open(page, path, page.getByRole("heading", { level: 1 }));
    await expect(page.getByLabel("Loading", { exact: true }).or(page.getByText("Loading…"))).toHaveCount(0);
  },
});

const press = (page: Page, name: string): Promise<void> => page.getByRole("button", { name, exact: true }).first().click();

type Row = {
  readonly id: string;
  readonly status: string;
  readonly refusals: number;
  readonly simulated: boolean;
  readonly graphName: string;
};

/** Of the fresh demo. Leaves the builder signed in. */
export const findDemoRuns = async (page: Page) => {
  await signInAs(page, "builder");
  const { runs } = await query<{ runs: readonly Row[] }>(page, "runs.list", {});
  const own = runs.filter(({ simulated, graphName }) => !simulated && graphName === "Support desk under attack");
  const find = (wanted: (row: Row) => boolean): string => {
    const found = own.find(wanted);
    if (!found) throw new Error("The demo lacks one of its runs.");

    return found.id;
  };
  const hostile = find(({ status, refusals }) => status === "waiting" && refusals > 0);
  const honest = find(({ status, refusals }) => status === "waiting" && refusals === 0);
  const { rows } = await query<{ rows: readonly { id: string; runId: string }[] }>(page, "approvals.queue", { filter: {} });
  const requestOf = (run: string) => rows.find(({ runId }) => runId === run)?.id ?? "";

  return { hostile, honest, hostileRequest: requestOf(hostile), honestRequest: requestOf(honest) };
};

const openConsent = async (page: Page): Promise<void> => {
  await open(page, await askToConnect(page, "http://127.0.0.1:9/callback"), page.getByRole("button", { name: "Allow", exact: true }));
};

const EDITOR = `/graphs/${DEMO_GRAPH_ID}`;

const openEditor = (page: Page, search = ""): Promise<void> =>
  open(page, `${EDITOR}${search}`, page.getByRole("group", { name: /^Tool Read the mail/ }));

const listPages = ({ hostile, honest, hostileRequest, honestRequest }: Awaited<ReturnType<typeof findDemoRuns>>): readonly Seen[] => [
  { by: null, views: [at("Sign in", "/sign-in"), at("Set up", "/setup?token=unknown")] },
  {
    by: "builder",
    views: [
      at("Home, builder", "/"),
      at("Graphs", "/graphs"),
      { name: "Editor", open: (page) => openEditor(page) },
      { name: "Blast radius", open: (page) => openEditor(page, "?overlay=hostile&panel=overlay&hostile=agent:planner") },
      at("Triggers", `${EDITOR}/triggers`),
      at("Runs", "/runs"),
      at("Run under attack", `/runs/${hostile}?t=6`),
      {
        name: "Provenance",
        open: (page) => open(page, `/runs/${hostile}?t=6&path=mail`, page.getByRole("tablist", { name: "Provenance" })),
      },
      at("Compare", `/runs/${hostile}?compare=${honest}`),
      at("Import a run", "/runs/import"),
      at("Outside agents", "/connect"),
      at("Console", "/connect/console"),
      { name: "Consent", open: openConsent },
      at("Help", "/help"),
      at("HTTP API", "/help/reference/openapi.json"),
    ],
  },
  {
    by: "reviewer",
    views: [
      at("Home, reviewer", "/"),
      at("Approvals", "/approvals"),
      at("Hostile request", `/approvals/${hostileRequest}`),
      at("Honest request", `/approvals/${honestRequest}`),
      at("Settings", "/settings"),
      at("Trust log", "/audit/trust"),
      at("Ledger", "/ledger"),
      at("Facts", "/facts"),
      at("Usage", "/usage?by=model"),
    ],
  },
  {
    by: "admin",
    views: [
      at("MCP servers", "/admin/mcp"),
      at("MCP server", "/admin/mcp/customers?tool=update_plan"),
      at("Drifted server", "/admin/mcp/rug-pull"),
      at("Models", "/admin/models"),
      at("People", "/admin/people"),
      at("Identity provider", "/admin/people?show=provider"),
      at("Permissions", "/admin/people?show=permissions"),
      at("Notifications", "/admin/people?show=notifications"),
      at("Environments", "/admin/environments"),
      at("Approval rules", "/admin/rules"),
      at("Webhooks", "/admin/webhooks"),
      at("Checks", "/admin/checks"),
    ],
  },
  { by: "second viewer", views: [at("Home, auditor", "/"), at("Trust log, auditor", "/audit/trust")] },
  { by: "viewer", views: [at("Home, viewer", "/"), at("People, viewer", "/admin/people")] },
];

const GROUPS = Array.from({ length: 12 }, (_none, index) => `Approvers of region ${index + 1} by day and night`);

const listStates = ({ hostile }: Awaited<ReturnType<typeof findDemoRuns>>): readonly Seen[] => [
  {
    by: "builder",
    views: [
      {
        name: "Template gallery",
        open: (page) => open(page, "/graphs?new=template", page.getByRole("dialog").getByRole("button", { name: /^Use template/ })),
      },
      {
        name: "Start a run: the graph",
        open: (page) => open(page, "/runs?start=true", page.getByRole("dialog", { name: "Choose a graph to run" }).getByRole("link")),
      },
      {
        name: "Start a run",
        open: async (page) => {
          await openEditor(page);
          await press(page, "Run");
          await expect(page.getByRole("dialog").getByRole("button", { name: "Start the run" })).toBeVisible();
        },
      },
      {
        name: "Approvers and escalation",
        open: async (page) => {
          await openEditor(page, "?node=approve_change");
          for (const section of ["Escalate an undecided request", "Name approvers"]) {
            await page.getByRole("checkbox", { name: section }).first().click();
          }
          await page.getByRole("group", { name: "Name approvers" }).scrollIntoViewIfNeeded();
        },
        close: async (page) => {
          for (let undone = 0; undone < 2; undone += 1) await press(page, "Undo");
          await savedRevision(page);
        },
      },
      {
        name: "Delete a gate",
        open: async (page) => {
          await openEditor(page);
          await page.getByRole("group", { name: /^Approval Approve the change/ }).focus();
          await page.keyboard.press("Delete");
          await expect(page.getByRole("dialog", { name: "Delete “Approve the change”?" })).toBeVisible();
        },
        close: (page) => page.keyboard.press("Escape"),
      },
      {
        name: "Workflow state",
        open: async (page) => {
          await open(page, `/runs/${hostile}`, page.getByRole("button", { name: "View workflow state" }));
          await press(page, "View workflow state");
          await expect(page.getByRole("dialog", { name: "Workflow state" }).getByRole("row").first()).toBeVisible();
        },
      },
    ],
  },
  {
    by: "reviewer",
    views: [
      {
        name: "Delegate approvals",
        open: async (page) => {
          await open(page, "/settings", page.getByRole("button", { name: "Delegate…" }));
          await press(page, "Delegate…");
          await expect(page.getByRole("dialog", { name: "Delegate your approvals" })).toBeVisible();
        },
      },
    ],
  },
  {
    by: "admin",
    views: [
      {
        name: "Approver groups, crowded",
        open: async (page) => {
          await page.goto("/admin/people?show=groups");
          const { members } = await query<{ members: readonly { id: string }[] }>(page, "people.list", undefined);
          const people = members.map(({ id }) => id);
          for (const group of GROUPS) await mutate(page, "approvers.groups.set", { group, was: null, people });
          await open(page, "/admin/people?show=groups", page.getByText(GROUPS.at(-1) ?? ""));
        },
        close: async (page) => {
          for (const group of GROUPS) await mutate(page, "approvers.groups.remove", { group });
        },
      },
      {
        name: "Provider down",
        open: async (page) => {
          await changeCircuit("scripted", "unreachable");
          await open(page, "/admin/models", page.getByText(/^Not called for/));
        },
        close: () => changeCircuit("scripted", null),
      },
    ],
  },
];

/** @param which default: all, pages first per person */
export const listViews = async (page: Page, which: "states" | "all" = "all"): Promise<readonly Seen[]> => {
  const runs = await findDemoRuns(page);
  const states = listStates(runs);
  if (which === "states") return states;

  return listPages(runs).map(({ by, views }) => ({
    by,
    views: [...views, ...states.filter((seen) => seen.by === by).flatMap((seen) => seen.views)],
  }));
};
