import { expect, test } from "vitest";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { withConfig, withNode } from "@/lib/architect/testing/desk";
import { triggerSchema } from "@/lib/graph/triggers/trigger";
import { publishCase } from "@/server/architect/publishing";
import { anotherDesk, drawn, openOffice } from "@/server/architect/testing/fixture";
import { answeringPlane } from "@/server/testing/answering";
import { openTestSession, recordRows } from "@/server/testing/authority";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";
import { submitCommand } from "./submit-command";
import { askForSecondPerson, askToApprove } from "./publishing";

const urls = await testDatabase("admin");
const plane = await answeringPlane(urls.admin);
const office = await openOffice(urls.admin);
const { workspaceId, ben, bea, cleo } = office;
await recordRows(plane, workspaceId);

const author = async (id: string) => ({ type: "user", id, session: await openTestSession(urls.admin, id) }) as const;

/** Its undo is unapproved, so needs a second person. */
const LOOSE = anotherDesk((graph) =>
  withNode("refund", {
    effect: "write",
    approval: "by_rule",
    compensation: { server: "shop", tool: "note", arguments: { about: { argument: "about" } } },
  })(withConfig("refund", { server: "shop", tool: "note" })(graph)),
);

const requested = async (by: string, document = LOOSE) => {
  const { id, revision } = await drawn(office, by, document);
  const { hash } = await publishCase(workspaceId, id, revision);
  const asked = await askForSecondPerson(workspaceId, await author(by), { id, revision, hash });
  if (asked.status !== "requested") throw new Error(JSON.stringify(asked));

  return { id: asked.id, hash };
};

test("approving content that another graph published meanwhile says so and what to do", async () => {
  const [first, second] = [await requested(ben), await requested(ben)];
  expect(await askToApprove(workspaceId, await author(bea), first.id, first.hash)).toMatchObject({ number: 1 });
  await expect(askToApprove(workspaceId, await author(bea), second.id, second.hash)).rejects.toMatchObject({
    code: "conflict",
    message:
      "Another graph published exactly this content in the meantime. Decline this request, then change something first, such as the name.",
  });
});

test("a person removed from the involved in the database still cannot approve", async () => {
  const { id: graph, revision } = await drawn(office, bea, { ...LOOSE, id: "desk-of-three", name: "Desk of three" });
  const { hash } = await publishCase(workspaceId, graph, revision);
  const asked = await askForSecondPerson(workspaceId, await author(ben), { id: graph, revision, hash });
  if (asked.status !== "requested") throw new Error(JSON.stringify(asked));
  await expect(askToApprove(workspaceId, await author(bea), asked.id, hash)).rejects.toMatchObject({ code: "forbidden" });
  const write = (sql: string, values: unknown[]) => queryOn(urls.admin, sql, values);
  await write("alter table graph_revision disable trigger user", []);
  await write("update graph_revision set author_id = $2 where graph_id = $1", [graph, ben]);
  await write("update publish_request set involved = array[$2::uuid] where id = $1", [asked.id, ben]);
  await expect(askToApprove(workspaceId, await author(bea), asked.id, hash)).rejects.toMatchObject({ refusal: "projection_mismatch" });
});

test("errors not checked by the web process are refused by name", async () => {
  const { id: graph, revision } = await drawn(office, ben, { ...LOOSE, id: "desk-of-four", name: "Desk of four" });
  const { hash } = await publishCase(workspaceId, graph, revision);
  const broken = await drawn(office, ben, { ...LOOSE, id: "desk-of-five", name: "Desk of five", start_node: "nowhere" });
  const publish = async (of: { readonly graph: string; readonly revision: number; readonly hash: string }) =>
    submitCommand({ workspaceId, author: await author(ben), runId: getWorkspaceLedgerId(workspaceId), body: { kind: "publish", ...of } });
  await expect(publish({ graph, revision, hash })).rejects.toMatchObject({ refusal: "second_person_missing" });
  await expect(publish({ graph, revision: revision + 1, hash })).rejects.toMatchObject({ refusal: "version_moved" });
  const { hash: invalid } = await publishCase(workspaceId, broken.id, broken.revision);
  await expect(publish({ graph: broken.id, revision: broken.revision, hash: invalid })).rejects.toMatchObject({ refusal: "graph_invalid" });
});

test("of two concurrent approvals, the later is told the resulting version", async () => {
  const request = await requested(ben, { ...LOOSE, id: "desk-of-two", name: "Desk of two" });
  const answers = await Promise.allSettled(
    [bea, cleo].map(async (id) => askToApprove(workspaceId, await author(id), request.id, request.hash)),
  );
  const late = answers.filter((answer) => answer.status === "rejected").map(({ reason }) => String(reason));
  expect(late).toHaveLength(1);
  expect(late[0]).toMatch(/This content was published as version 1 in the meantime\. There is nothing left to approve\.|already decided/u);
});

test("the triggers of a published version are in force, if their environments exist", async () => {
  const timed = (id: string, environment: string) => ({
    ...LOOSE,
    id,
    name: id,
    triggers: [triggerSchema.parse({ id: "nightly", kind: "schedule", cron: "0 3 * * *", environment, inputs: { request: "event.at" } })],
  });
  const [known, unknown] = [await requested(ben, timed("timed", "production")), await requested(ben, timed("lost", "qa"))];
  await expect(askToApprove(workspaceId, await author(bea), unknown.id, unknown.hash)).rejects.toMatchObject({
    refusal: "environment_unknown",
  });
  const { graphId } = await askToApprove(workspaceId, await author(bea), known.id, known.hash);
  expect(await queryOn(urls.admin, "select graph_id, trigger from graph_trigger", [])).toEqual([{ graph_id: graphId, trigger: "nightly" }]);
});
