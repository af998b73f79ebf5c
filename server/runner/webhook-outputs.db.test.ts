import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { graphSchema, type PublishedGraph } from "@/lib/graph/document";
import type { OutputsGrant } from "@/lib/webhooks/outputs";
import { webhookPayloadSchema } from "@/lib/webhooks/payload";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { addEndpoint, deliveriesOf, movedClock, notifyDeps, sendDue } from "@/server/notify/testing/fixture";
import { openReceiver, type Receiver } from "@/server/notify/testing/receiver";
import { openDesk, publishAs, startRun, type Desk } from "@/server/runner/testing/desk";
import { sendOwn } from "@/server/runner/testing/passkeys";
import { whileMoving } from "@/server/runner/testing/recorded";
import { ask, drive, readRun } from "@/server/runner/testing/run";
import { createReadOutputs } from "@/server/runner/webhook-outputs";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
const opened: Receiver[] = [];
let desk: Desk;
let graphHash: string;
let receiver: Receiver;
let endpoint: string;
beforeAll(async () => {
  desk = await openDesk(urls, installation);
  graphHash = await publishAs(desk, published, desk.people.builder);
}, 120_000);
afterAll(async () => {
  await desk.mcp.close();
  await Promise.all(opened.map((one) => one.close()));
});

const published: PublishedGraph = {
  graph: graphSchema.parse({
    format: "countersign/graph/v1",
    id: "answers",
    name: "Answers",
    inputs: { type: "object", properties: { mail_file: { type: "string" } }, additionalProperties: false },
    memory: [
      { key: "mail_file", schema: {} },
      { key: "verdict", schema: { type: "string" }, classification: "internal" },
      { key: "person", schema: { type: "string" }, classification: "pii" },
      { key: "token", schema: { type: "string" }, classification: "secret" },
    ],
    nodes: [
      {
        id: "answer",
        kind: "transform",
        write_keys: ["verdict", "person", "token"],
        config: {
          set: [
            { path: "verdict", value: '"refund"' },
            { path: "person", value: '"Ada"' },
            { path: "token", value: '"hunter2"' },
          ],
        },
      },
    ],
    edges: [],
    start_node: "answer",
    end_nodes: ["answer"],
  }),
  agents: [],
  tools: [],
  subgraphs: [],
};

beforeEach(async () => {
  await asAdmin(urls.admin, "truncate webhook_endpoint, webhook_delivery");
  receiver = await openReceiver();
  opened.push(receiver);
  ({ id: endpoint } = await addEndpoint(urls.admin, desk.workspace, desk.deps.vault, { url: receiver.url, types: ["run.ended"] }));
});

const grant = (change: Partial<OutputsGrant> = {}, by = desk.people.admin) =>
  sendOwn(
    desk,
    {
      kind: "webhook_outputs",
      endpoint,
      grant: { url: receiver.url, outputs: ["verdict", "person", "token", "mail_file.none"], clearance: "internal", ...change },
    },
    by,
  );
const alter = (set: string) => asAdmin(urls.admin, `update webhook_endpoint set ${set} where id = $1`, [endpoint]);

const endRun = async (deliver = (_run: string, send: () => Promise<unknown>) => send()) => {
  const on = { ...desk, published, graphHash };
  const run = await startRun(on, "script", "02-outage-credit.txt");
  await drive(on, run);
  expect((await readRun(on, run)).state.status).toBe("completed");
  const deps = { ...notifyDeps(desk.deps.vault, movedClock(), [receiver.origin]), readOutputs: createReadOutputs(desk.deps) };
  await deliver(run, () => sendDue(deps));
  const payload = webhookPayloadSchema.parse(JSON.parse(receiver.received.at(-1)?.body ?? ""));

  return payload.type === "run.ended" ? payload.data : null;
};

describe("values of an ended run", () => {
  it("go to an endpoint that was granted them, as far as its clearance admits them, and are not stored", async () => {
    expect(await grant()).toMatchObject({ refusal: null });
    expect(await endRun()).toMatchObject({
      outputs: { verdict: { value: "refund", confidentiality: "internal" } },
      withheld: ["person", "token"],
    });
    expect(receiver.received.at(-1)?.body).not.toMatch(/Ada|hunter2/u);
    const [delivery] = await deliveriesOf(urls.admin, endpoint);
    expect(delivery?.payload).toContain("completed");
    expect(delivery?.payload).not.toMatch(/refund|Ada|hunter2/u);
  });

  it("go along although someone comments meanwhile", async () => {
    await grant();
    const delivered = endRun(async (run, send) => {
      expect((await ask(desk, run, desk.people.reviewer, { kind: "comment", text: "Good." })).refusal).toBeNull();

      return whileMoving(desk, run, send);
    });
    expect(await delivered).toMatchObject({ outputs: { verdict: { value: "refund" } } });
  });

  it("of a higher class go along under a higher clearance", async () => {
    await grant({ clearance: "pii" });
    expect(await endRun()).toMatchObject({ outputs: { verdict: { value: "refund" }, person: { value: "Ada" } }, withheld: ["token"] });
  });

  it.each(["builder", "reviewer", "viewer"] as const)("are not granted by a %s", async (role) => {
    expect(await grant({}, desk.people[role])).toMatchObject({ refusal: { code: "principal_not_allowed" } });
    expect(await endRun()).not.toHaveProperty("outputs");
  });

  it("are granted for the address that the admin saw", async () => {
    expect(await grant({ url: "https://elsewhere.example.com/" })).toMatchObject({ refusal: { code: "step_refused" } });
    await grant();
    const moved = await openReceiver();
    opened.push(moved);
    receiver = moved;
    await alter(`url = '${moved.url}'`);
    expect(await endRun()).not.toHaveProperty("outputs");
    // Even if the row says otherwise.
    await alter("outputs_url = url");
    expect(await endRun()).not.toHaveProperty("outputs");
  });

  it.each(["clearance = 'pii'", "outputs = '{verdict,person}'"])("stay here after %s without a record", async (change) => {
    await grant();
    await alter(change);
    expect(await endRun()).not.toHaveProperty("outputs");
  });

  it("stay here once the grant is taken back", async () => {
    await grant();
    await grant({ outputs: [] });
    expect(await endRun()).not.toHaveProperty("outputs");
    await alter(`outputs = '{verdict}', clearance = 'internal'`);
    expect(await endRun()).not.toHaveProperty("outputs");
  });
});
