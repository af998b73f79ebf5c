import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { graphSchema, type GraphInput, type PublishedGraph } from "@/lib/graph/document";
import { openDesk, publishAs, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { ask, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { outsider, startedBy, takeStep, type Outsider } from "@/server/runner/testing/outside";
import type { Installation } from "@/server/mcp/programs/installation";
import type { TestDatabase } from "@/server/testing/database";

const MAIL = "canary.txt";

const NODES: GraphInput["nodes"] = [
  {
    id: "read_mail",
    kind: "tool",
    read_keys: ["mail_file"],
    write_keys: ["mail"],
    effect: "read",
    config: { server: "filesystem", tool: "read_text_file", arguments: { path: { from: "mail_file" } } },
  },
  {
    id: "copy",
    kind: "transform",
    read_keys: ["mail"],
    write_keys: ["copy", "other"],
    config: {
      set: [
        { path: "copy", value: "memory.mail" },
        { path: "other.quoted", value: "memory.mail" },
      ],
    },
  },
  {
    id: "review",
    kind: "review",
    read_keys: ["mail", "copy"],
    config: { target: "copy", source: "mail", reviewers: [{ type: "person" }], quorum: 1 },
  },
  { id: "end", kind: "transform", write_keys: ["done"], config: { set: [{ path: "done", value: "true" }] } },
];

const graphOf = (id: string, change: Partial<GraphInput>): GraphInput => ({
  format: "countersign/graph/v1",
  id,
  name: id,
  inputs: { type: "object", properties: { mail_file: { type: "string" } }, required: ["mail_file"], additionalProperties: false },
  memory: ["mail_file", "mail", "copy", "other", "done"].map((key) => ({ key, schema: {} })),
  nodes: NODES,
  edges: [
    { id: "a", source: "read_mail", target: "copy" },
    { id: "b", source: "copy", target: "review" },
    { id: "c", source: "review", target: "end" },
  ],
  start_node: "read_mail",
  end_nodes: ["end"],
  ...change,
});

const DRIVEN = graphOf("reviewed-driven", {
  inputs: { type: "object", additionalProperties: true },
  external: { read_keys: ["mail", "copy", "other"], clearance: "secret" },
  nodes: NODES.map((node) =>
    node.id === "read_mail" ? { ...node, action: { inputs: [{ name: "mail_file", path: "mail_file" }] } } : node,
  ),
});

export type ReviewDesk = {
  readonly desk: Desk;
  /** Drives a run until its case is open. @returns its id */
  readonly start: (mail?: string) => Promise<string>;
  readonly startDriven: () => Promise<{ readonly agent: Outsider; readonly run: string; readonly graph: string }>;
  readonly speak: (run: string, decision: "approve" | "reject") => Promise<void>;
  readonly published: PublishedGraph;
};

const published = (desk: Desk, input: GraphInput): PublishedGraph => ({
  graph: graphSchema.parse(input),
  agents: [],
  tools: [...desk.published.tools],
  subgraphs: [],
});

/** Opens the desk. @param canary appears only in the mail */
export const openReviewDesk = async (urls: TestDatabase, installation: Installation, canary: string): Promise<ReviewDesk> => {
  const base = await openDesk(urls, installation);
  const text = `Hello,\nplease see our contract: ${canary}\nRegards`;
  await writeFile(path.join(installation.home, "inbox", MAIL), text);
  await mkdir(path.join(installation.home, "keys"), { recursive: true });
  await writeFile(path.join(installation.home, "keys", "vault.key"), base.keys.vault, { mode: 0o600 });
  const plain = published(base, graphOf("reviewed", {}));
  const publish = (version: PublishedGraph) => publishAs(base, version, base.people.builder);
  const desk = { ...base, published: plain, graphHash: await publish(plain) };
  const drivenHash = await publish(published(base, DRIVEN));

  return {
    desk,
    published: plain,
    start: async (mail = MAIL) => {
      const run = await startRun(desk, "honest", mail);
      await drive(desk, run);

      return run;
    },
    startDriven: async () => {
      const agent = await outsider(desk, drivenHash);
      const run = await startedBy(desk, agent);
      await takeStep(desk, agent, run, "read_mail", { mail_file: MAIL });
      await takeStep(desk, agent, run, "copy");
      await takeStep(desk, agent, run, "review");
      const [row] = await query<{ graph_id: string }>(urls.admin, "select graph_id from graph_version where hash = $1", [drivenHash]);

      return { agent, run, graph: row?.graph_id ?? "" };
    },
    speak: async (run, decision) => {
      const { state } = await readRun(desk, run);
      await ask(desk, run, desk.people.reviewer, decisionFor(desk, state, decision));
    },
  };
};
