import type { inferRouterOutputs } from "@trpc/server";
import { isAllowed, type Permission, type Role } from "@/lib/roles";
import type { AppRouter } from "@/server/trpc/root";

type FirstDay = inferRouterOutputs<AppRouter>["home"]["firstDay"];

export type StepFacts = FirstDay & {
  /** Runs verified in this browser. */
  readonly verified: readonly string[];
};

export type Step = {
  readonly id: string;
  readonly title: string;
  readonly how: string;
  readonly href: string;
  readonly isDone: boolean;
  /** People who can do it; null: the reader. */
  readonly who: string | null;
};

type Draft = Omit<Step, "who"> & { readonly needs: Permission | null };

const WHO = {
  "people.manage": "an admin",
  "model.manage": "an admin",
  "mcp.manage": "an admin",
  "graph.publish": "a builder",
  "graph.edit": "a builder",
  "run.start": "a builder",
  "approval.decide": "a reviewer",
} as const satisfies Partial<Record<Permission, string>>;

const forReader =
  (role: Role) =>
  ({ needs, ...step }: Draft): Step => ({
    ...step,
    who: needs === null || isAllowed(role, needs) ? null : Object.hasOwn(WHO, needs) ? WHO[needs as keyof typeof WHO] : "another role",
  });

/** The demo's seven steps; its seeded runs tick none. */
export const listDemoSteps = (facts: StepFacts, role: Role): readonly Step[] => {
  const drafts: readonly Draft[] = [
    {
      id: "attack",
      title: "Watch an attack fail",
      how:
        facts.refusedRun === null
          ? "Run Support desk under attack with the model Scripted: compromised, which always does the worst it can."
          : "Each refused attempt is a record of the run. Read them.",
      href: facts.refusedRun === null ? "/graphs" : `/runs/${facts.refusedRun}`,
      isDone: facts.refusedRun !== null,
      needs: "run.start",
    },
    {
      id: "decide",
      title: "Decide a risky step",
      how: "Check what would change and where each value comes from. Then approve or reject.",
      href: "/approvals",
      isDone: facts.decided,
      needs: "approval.decide",
    },
    {
      id: "verify",
      title: "Verify, then tamper with a copy",
      how: "Let your browser recompute every hash and signature, and see the tamper lab find a change.",
      href: facts.newestRun === null ? "/ledger" : `/runs/${facts.newestRun}`,
      isDone: facts.verified.length > 0,
      needs: null,
    },
    {
      id: "gate",
      title: "See the blast radius and insert a gate",
      how: "Open a graph, choose Blast radius, delete its approval, and close the open path with the fix that the editor offers.",
      href: "/graphs",
      isDone: facts.changedGraph,
      needs: "graph.edit",
    },
    {
      id: "drift",
      title: "Catch the rug pull",
      how: "Weather changed a tool after its review. See what it would have got, then review it again or revoke it.",
      href: `/admin/mcp/${facts.driftedServers[0] ?? ""}`,
      isDone: facts.driftedServers.length === 0,
      needs: "mcp.manage",
    },
    {
      id: "fork",
      title: "Fork a run",
      how: "Choose Fork from here on any record, change one thing, and compare the runs. Nothing is called.",
      href: facts.newestRun === null ? "/runs" : `/runs/${facts.newestRun}`,
      isDone: facts.forked,
      needs: "run.start",
    },
    {
      id: "own",
      title: "Make it yours",
      how: "Begin with a template, publish it and run it.",
      href: "/graphs?new=template",
      isDone: facts.publishedGraphs > 0,
      needs: "graph.publish",
    },
  ];

  return drafts.map(forReader(role));
};

/** From an empty workspace to its first approved write. */
export const listOwnSteps = (facts: StepFacts, role: Role): readonly Step[] => {
  const has = (wanted: Role): boolean => facts.roles.includes(wanted);
  const drafts: readonly Draft[] = [
    {
      id: "people",
      title: "Invite a builder and a reviewer",
      how: "The invite link appears on the screen; no mail is sent. No one can approve a run that they started.",
      href: "/admin/people",
      isDone: has("builder") && has("reviewer"),
      needs: "people.manage",
    },
    {
      id: "model",
      title: "Add a model",
      how: "Connect a provider or your own server, and give its model a price. Without one, the scripted models can play a graph.",
      href: "/admin/models",
      isDone: facts.hasModel,
      needs: "model.manage",
    },
    {
      id: "server",
      title: "Connect an MCP server",
      how: "Add it, label its tools, pin and activate it. Nothing calls it before.",
      href: "/admin/mcp",
      isDone: facts.activeServers > 0,
      needs: "mcp.manage",
    },
    {
      id: "graph",
      title: "Publish a graph",
      how: "A template reads a file, drafts, waits for an approval and writes.",
      href: "/graphs?new=template",
      isDone: facts.publishedGraphs > 0,
      needs: "graph.publish",
    },
    {
      id: "run",
      title: "Start a run",
      how: "The launcher shows the highest price and the strongest effects beforehand.",
      href: "/runs?start=true",
      isDone: facts.newestRun !== null,
      needs: "run.start",
    },
    {
      id: "write",
      title: "Approve the first write",
      how: "Check the exact arguments and where each value comes from, and sign with your passkey.",
      href: "/approvals",
      isDone: facts.approvedWrite,
      needs: "approval.decide",
    },
    {
      id: "verify",
      title: "Verify the run",
      how: "Let your browser recompute every hash and signature.",
      href: facts.newestRun === null ? "/ledger" : `/runs/${facts.newestRun}`,
      isDone: facts.verified.length > 0,
      needs: null,
    },
  ];

  return drafts.map(forReader(role));
};
