import { Client as Database } from "pg";
import type { PublishedGraph } from "@/lib/graph/document";
import type { Json } from "@/lib/json";
import { useDatabase } from "@/server/db/client";
import { connectModern, type Called } from "@/server/outside/testing/client";
import { openStand, type Minted, type Stand } from "@/server/outside/testing/fixture";
import { publishAs, query } from "@/server/runner/testing/desk";
import { publishCounter } from "@/server/runner/testing/outside";

export type CheckGraph = "refunds" | "counter" | "patient";
export type Agent = Minted & Awaited<ReturnType<typeof connectModern>>;
type Minting = Parameters<Stand["mint"]>[0];

export type CheckDesk = {
  readonly stand: Stand;
  readonly agent: (graph: CheckGraph, change?: Minting) => Promise<Agent>;
  readonly count: (table: "run" | "agent_session" | "ledger_record" | "command") => Promise<number>;
  readonly holdCustomers: () => Promise<{ letGo: () => Promise<void> }>;
};

const MORE_MS = 45_000;

type Version = { readonly graph_id: string; readonly document: string };

const versionOf = async (admin: string, hash: string): Promise<Version> => {
  const [row] = await query<Version>(admin, "select graph_id, document::text as document from graph_version where hash = $1", [hash]);
  if (!row) throw new Error("the graph is not published");

  return row;
};

const publishPatient = async ({ desk }: Stand, document: string): Promise<string> => {
  const published = JSON.parse(document) as PublishedGraph;
  const nodes = published.graph.nodes.map((node) =>
    node.id === "find" ? { ...node, failure_policy: { ...node.failure_policy, timeout_ms: MORE_MS } } : node,
  );

  return publishAs(desk, { ...published, graph: { ...published.graph, nodes } }, desk.people.builder);
};

const holdCustomers = async (admin: string): Promise<{ letGo: () => Promise<void> }> => {
  const database = new Database({ connectionString: admin });
  await database.connect();
  await database.query("begin");
  await database.query("lock table customers.customer in access exclusive mode");

  return {
    letGo: async () => {
      await database.query("rollback");
      await database.end();
    },
  };
};

/** Opens the fixture for Theodosia's checks. */
export const openChecks = async (): Promise<() => Promise<CheckDesk>> => {
  const open = await openStand();

  return async () => {
    const stand = await open();
    const { admin } = stand.desk.urls;
    // Only the runner's role records versions.
    await useDatabase(stand.desk.urls.runner);
    const counter = await versionOf(admin, await publishCounter(stand.desk));
    const patient = await versionOf(admin, await publishPatient(stand, counter.document));
    await useDatabase(stand.desk.urls.web);
    const urls: Readonly<Record<CheckGraph, string>> = {
      refunds: stand.url(await stand.graphId("refund-desk")),
      counter: stand.url(counter.graph_id),
      patient: stand.url(patient.graph_id),
    };

    return {
      stand,
      agent: async (graph, change = {}) => {
        const minted = await stand.mint(change);

        return { ...minted, ...(await connectModern(urls[graph], minted.token)) };
      },
      count: async (table) => {
        const [found] = await query<{ n: number }>(admin, `select count(*)::int as n from ${table}`);

        return found?.n ?? 0;
      },
      holdCustomers: () => holdCustomers(admin),
    };
  };
};

export const field = ({ payload }: Called, name: string): Json => payload[name] ?? null;

export const legal = (called: Called): Json => field(called, "valid_next_actions");

export const text = (called: Called, name: string): string => {
  const value = field(called, name);
  if (typeof value !== "string") throw new Error(`${name} is no text: ${JSON.stringify(called.payload)}`);

  return value;
};
