import { randomUUID } from "node:crypto";
import { toCanonicalJson, type Json } from "@/lib/json";
import { publishCase } from "@/server/architect/publishing";
import { queryOn } from "@/server/testing/connections";
import type { GraphName } from "./graphs";
import type { Version } from "./installation";
import { sendWorkspaceCommand, type World } from "./world";

/** @returns the graph's id */
const saveDraft = async ({ desk }: World, { hash, published }: Version): Promise<string> => {
  const [row] = await queryOn<{ id: string }>(
    desk.urls.admin,
    `insert into graph_revision (workspace_id, graph_id, revision, document, author_id)
     select workspace_id, graph_id, 1, $3, $4 from graph_version where workspace_id = $1 and hash = $2 returning graph_id as id`,
    [desk.workspace, hash, toCanonicalJson(JSON.parse(JSON.stringify(published.graph)) as Json), desk.people.builder],
  );
  if (!row) throw new Error("there is no such version");

  return row.id;
};

/** With the registry's current tools. @returns the version, or the refusal code */
export const publishFromRegistry = async (world: World, name: GraphName): Promise<Version | string> => {
  const { workspace, people } = world.desk;
  const graph = await saveDraft(world, world.versions[name]);
  const { hash, published } = await publishCase(workspace, graph, 1);
  const draft = { graph, revision: 1, hash };
  const answer = await sendWorkspaceCommand(world, people.builder, { kind: "publish", ...draft });
  if (answer === "accepted") return { hash, published };
  if (answer !== "second_person_missing") return answer;
  const request = randomUUID();
  const asked = await sendWorkspaceCommand(world, people.builder, { kind: "publish_request", request, ...draft });
  if (asked !== "accepted") return asked;
  const approved = await sendWorkspaceCommand(world, people.starter, { kind: "publish_approve", request, hash });

  return approved === "accepted" ? { hash, published } : approved;
};
