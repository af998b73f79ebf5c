import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isCovered, hashOfLeaf } from "@/lib/engine/ledger/checkpoint";
import { findCheckpointFault } from "@/lib/engine/ledger/checkpoint";
import { goesOn } from "@/lib/engine/ledger/checkpoint-file";
import { buildInclusionProof } from "@/lib/engine/ledger/merkle";
import { toMemory } from "@/lib/engine/state";
import type { Json } from "@/lib/json";
import { webhookPayloadSchema, type WebhookPayload } from "@/lib/webhooks/payload";
import { WEBHOOK_TYPES } from "@/lib/webhooks/types";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openReceiver, checkVerification, type Receiver } from "@/server/notify/testing/receiver";
import { addEndpoint, movedClock, notifyDeps, ORIGIN, sendDue, type Endpoint } from "@/server/notify/testing/fixture";
import { takeCheckpoint } from "@/server/runner/checkpoint";
import { openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import { ask, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { driftMcpServer } from "@/server/store/mcp/servers";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { logLeaves } from "@/server/store/workspaces/log";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
const MAIL = "02-outage-credit.txt";
const CANARY = `canary-${randomUUID()}`;
let desk: Desk;
let receiver: Receiver;
let endpoint: Endpoint;
let deps: ReturnType<typeof notifyDeps>;

const told = (): readonly WebhookPayload[] =>
  receiver.received.map((one) => webhookPayloadSchema.parse(checkVerification(endpoint.secret, one)));

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  const mail = path.join(installation.home, "inbox", MAIL);
  await writeFile(mail, `${await readFile(mail, "utf8")}\n${CANARY}\n`);
  receiver = await openReceiver();
  deps = notifyDeps(desk.deps.vault, movedClock(), [receiver.origin]);
  endpoint = await addEndpoint(urls.admin, desk.workspace, desk.deps.vault, { url: receiver.url, types: WEBHOOK_TYPES });
}, 120_000);
afterAll(async () => {
  await desk.mcp.close();
  await receiver.close();
});

/** Too long to be a code by accident. */
const textsIn = (value: Json): readonly string[] => {
  if (typeof value === "string") return value.length >= 12 ? [value] : [];
  if (typeof value !== "object" || value === null) return [];

  return Object.values(value).flatMap(textsIn);
};

const checkpoint = () => takeCheckpoint(desk.deps, desk.workspace);

test("a run from gate to end, a checkpoint and a suspension are reported in order, without any person's or tool's text", async () => {
  const run = await startRun(desk, "honest", MAIL);
  await drive(desk, run);
  const waiting = await readRun(desk, run);
  const { gate } = Object.values(waiting.state.gates)[0]!;
  await sendDue(deps);
  expect(told()).toMatchObject([{ type: "approval.requested", data: { approval_id: gate.id, run_id: run, authority: "write" } }]);

  await ask(desk, run, desk.people.reviewer, { ...decisionFor(desk, waiting.state, "reject"), reason: `Because ${CANARY}` });
  await checkpoint();
  await driftMcpServer(desk.workspace, "customers", `because ${CANARY}`);
  await sendDue(deps);
  expect(new Set(told().map(({ type }) => type))).toEqual(
    new Set(["approval.requested", "approval.resolved", "run.ended", "checkpoint.signed", "server.suspended"]),
  );
  expect(told().every(({ data }) => data.link.startsWith(`${ORIGIN}/`))).toBe(true);

  const done = await readRun(desk, run);
  const memory = toMemory(Object.values(done.state.cells)) as Json;
  // Guards against vacuous success.
  expect(JSON.stringify(memory)).toContain(CANARY);
  const written = [
    CANARY,
    gate.prompt,
    "Handle the mail",
    ...textsIn(memory),
    ...desk.published.agents.flatMap((agent) => textsIn(JSON.parse(JSON.stringify(agent)) as Json)),
  ];
  const bodies = receiver.received.map(({ body, headers, path: at }) => `${at}${JSON.stringify(headers)}${body}`).join("\n");
  expect(written.length).toBeGreaterThan(5);
  expect(written.filter((text) => bodies.includes(text) || bodies.includes(JSON.stringify(text).slice(1, -1)))).toEqual([]);
});

describe("checkpoints", () => {
  test("arrive signed, with a proof that the log only grew since the previous one", async () => {
    const other = await openReceiver();
    const { secret } = await addEndpoint(urls.admin, desk.workspace, desk.deps.vault, { url: other.url, types: ["checkpoint.signed"] });
    const own = notifyDeps(desk.deps.vault, movedClock(), [other.origin, receiver.origin]);
    for (let turn = 0; turn < 3; turn += 1) {
      await drive(desk, await startRun(desk, "honest", "01-upgrade.txt"));
      await checkpoint();
      await sendDue(own);
    }
    await other.close();

    const keys = await listPublicKeys();
    const entries = other.received.map((one) => {
      const payload = webhookPayloadSchema.parse(checkVerification(secret, one));
      if (payload.type !== "checkpoint.signed") throw new Error(payload.type);

      return payload.data;
    });
    expect(entries.map(({ since }) => since?.signed.checkpoint.count ?? null)).toEqual([
      null,
      ...entries.slice(0, 2).map(({ signed }) => signed.checkpoint.count),
    ]);
    for (const { signed, since } of entries) {
      expect(await findCheckpointFault(signed, keys)).toBeNull();
      expect(await findCheckpointFault(signed, {})).toBe("checkpoint_key");
      const forged = { ...signed, checkpoint: { ...signed.checkpoint, root: "0".repeat(64) } };
      const follows = [signed, forged].map((each) => since && goesOn(since.signed, each, since.proof));
      expect(follows).toEqual(since ? [true, false] : [null, null]);
    }

    const { signed } = entries.at(-1)!;
    const leaves = await logLeaves(desk.workspace);
    const index = leaves.length - 1;
    const coverage = { signed, index, proof: buildInclusionProof(leaves.map(hashOfLeaf), index) };
    expect(signed.checkpoint.count).toBe(leaves.length);
    expect(await isCovered(coverage, desk.workspace, leaves[index]!, keys)).toBe(true);
  });
});
