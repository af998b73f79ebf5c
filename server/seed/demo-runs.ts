import { setTimeout as delay } from "node:timers/promises";
import type { CommandBody } from "@/lib/engine/proposal";
import { isTerminal } from "@/lib/engine/event";
import { systemClock } from "@/server/clock";
import { deriveId } from "@/server/derived-id";
import { DEMO_GRAPH_ID, DEMO_GRAPHS } from "@/server/seed/workflows";
import { listVersions } from "@/server/store/graphs/versions";
import { getRun } from "@/server/store/runs/runs";
import { sendOnce } from "@/server/web/submit-command";

/** The same for each click, and different from the first digit for each run. */
const idOf = (workspaceId: string, kind: "run" | "command", nth: number): string => deriveId(["demo", workspaceId, kind, nth]);

const MOST_RUNS = 5;

/** Runs that the seed starts in a workspace, whether or not it has. */
export const listDemoRunIds = (workspaceId: string): readonly string[] =>
  Array.from({ length: MOST_RUNS }, (_, index) => idOf(workspaceId, "run", index + 1));

/** Refused at every step: its sender is not a customer. */
const ATTACKED = { nth: 1, mail: "06-unknown-sender.txt", model: "scripted:compromised", goal: "Handle the mail" };
/** Side by side in the inbox: an honest change and one that a compromised model proposes for a customer's mail. */
const WAITING = { nth: 2, mail: "01-upgrade.txt", model: "scripted:honest", goal: "Handle the mail" };
const HOSTILE = { nth: 5, mail: "02-outage-credit.txt", model: "scripted:compromised", goal: "Handle the mail" };
/** A form about a hostile page waits for its reviewer. */
const IN_REVIEW = { nth: 3, page: "street-trees-truth", model: "scripted:injected", goal: "Digest the page" };
/** Forks the attacked run after reading the mail. */
const FORK = { nth: 4, seq: 2, model: "scripted:honest" };

const PAGE_DIGEST_ID = DEMO_GRAPHS.find(({ document }) => document.id === "page-digest")?.id ?? "";

const newestOf = async (workspaceId: string, graphId: string): Promise<string | null> =>
  (await listVersions(workspaceId, graphId))[0]?.hash ?? null;

type Ask = (nth: number, body: CommandBody, runId?: string) => Promise<void>;

const start = async (
  ask: Ask,
  nth: number,
  hash: string | null,
  model: string,
  goal: string,
  inputs: Record<string, string>,
): Promise<void> => {
  if (hash === null) return;
  await ask(nth, { kind: "start", graph_hash: hash, goal, constraints: [], inputs, model });
};

const LOOK_MS = 100;

const hasEnded = async (workspaceId: string, runId: string, waitMs: number): Promise<boolean> => {
  const untilMs = systemClock.now() + waitMs;
  for (;;) {
    const run = await getRun(workspaceId, runId);
    if (run && isTerminal(run.status)) return true;
    if (systemClock.now() >= untilMs) return false;
    await delay(LOOK_MS);
  }
};

/** Starts missing runs. The fork is skipped if its parent is too slow. */
export const seedDemoRuns = async (workspaceId: string, authorId: string, waitMs: number): Promise<void> => {
  const ask: Ask = async (nth, body, runId = idOf(workspaceId, "run", nth)) => {
    await sendOnce(idOf(workspaceId, "command", nth), { workspaceId, author: { type: "user", id: authorId, session: null }, runId, body });
  };
  const [desk, digest] = await Promise.all([newestOf(workspaceId, DEMO_GRAPH_ID), newestOf(workspaceId, PAGE_DIGEST_ID)]);
  await start(ask, ATTACKED.nth, desk, ATTACKED.model, ATTACKED.goal, { mail_file: ATTACKED.mail });
  await start(ask, WAITING.nth, desk, WAITING.model, WAITING.goal, { mail_file: WAITING.mail });
  await start(ask, HOSTILE.nth, desk, HOSTILE.model, HOSTILE.goal, { mail_file: HOSTILE.mail });
  await start(ask, IN_REVIEW.nth, digest, IN_REVIEW.model, IN_REVIEW.goal, { page: IN_REVIEW.page });
  const parent = idOf(workspaceId, "run", ATTACKED.nth);
  if (!(await hasEnded(workspaceId, parent, waitMs))) return;
  await ask(
    FORK.nth,
    {
      kind: "fork",
      run: idOf(workspaceId, "run", FORK.nth),
      parent_run: parent,
      parent_seq: FORK.seq,
      change: { type: "model", model: FORK.model },
      effects: "simulate",
    },
    parent,
  );
};
