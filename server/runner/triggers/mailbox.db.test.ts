import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { triggerSchema } from "@/lib/graph/triggers/trigger";
import { systemClock } from "@/server/clock";
import { readMailbox, type MailboxOptions } from "@/server/mail/mailbox";
import type { ReadMailbox } from "@/server/mail/mailbox-request";
import { createTxtResolver } from "@/server/mail/resolve-txt";
import { createCertificate } from "@/server/mail/testing/certificate";
import { compose, createDkimKey, nameOf } from "@/server/mail/testing/compose";
import { openDns } from "@/server/mail/testing/dns";
import { openImap } from "@/server/mail/testing/imap";
import { asAdmin } from "@/server/mcp/testing/registered";
import {
  driveOn,
  listEvents,
  listRefusals,
  listRuns,
  look,
  openTriggerWorld,
  publishOrders,
  readRun,
  SECRET,
  type TriggerWorld,
} from "@/server/runner/testing/triggers";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";
import { readMailboxes } from "./mailboxes";

const CERTIFICATE = createCertificate();
const KEY = createDkimKey("example.com");

const urls = await testDatabase("runner");
let world: TriggerWorld;
let offsetMs = 0;

beforeAll(async () => {
  world = await openTriggerWorld(urls, () => systemClock.now() + offsetMs);
});

const message = (id: string, subject: string, change: object = {}): Promise<Buffer> =>
  compose({ from: "ada@example.com", to: "desk@example.org", subject, text: "Ship it.", messageId: `<${id}@example.com>`, ...change }, KEY);

const openDesk = async (change: object = {}) => {
  const [imap, dns] = [await openImap({ certificate: CERTIFICATE, password: SECRET }), await openDns(new Map([[nameOf(KEY), KEY.record]]))];
  onTestFinished(async () => {
    imap.close();
    dns.close();
    await asAdmin(urls.admin, "delete from graph_trigger", []);
  });
  const trigger = triggerSchema.parse({
    id: "desk",
    kind: "email",
    host: "127.0.0.1",
    port: imap.port,
    user: "desk",
    secret: "shop",
    inputs: { order: "event.subject" },
    ...change,
  });
  const { graphId, id } = await publishOrders(world, [trigger]);
  const options: MailboxOptions = {
    egress: { allowOrigins: [`https://127.0.0.1:${imap.port}`] },
    ca: CERTIFICATE.cert,
    timeoutMs: 5_000,
    resolveTxt: createTxtResolver([dns.address]),
  };
  const read: ReadMailbox = (_workspace, request) => readMailbox(request, options);
  const poll = async () => {
    offsetMs += 600_000;
    const count = await readMailboxes(world.deps, read);
    await look(world);

    return count;
  };
  await poll();

  return { imap, graphId, id, trigger, read, poll };
};

const codes = async (graphId: string) => (await listRefusals(world, graphId)).map(({ refusal }) => String(refusal?.code));
const summary = async (graphId: string) => (await listEvents(world, graphId)).map(({ status, code }) => code ?? status);

describe("a mailbox", () => {
  it("starts one run for a message, of untrusted inputs, with its id, place and DKIM result in the provenance", async () => {
    const { imap, graphId, poll } = await openDesk();
    imap.add(await message("first", "Order 7"));
    await poll();
    await poll();
    const [run, ...others] = await listRuns(world, graphId);
    expect(others).toEqual([]);
    await driveOn(world, run!.id);
    const { state } = await readRun(world, run!.id);
    expect(state.start).toMatchObject({ initiator: world.publisher, trigger: "desk" });
    expect(state.cells[0]).toMatchObject({
      content: { value: "Order 7" },
      label: {
        integrity: "untrusted",
        provenance: [expect.stringMatching(/^trigger:desk\/[0-9a-f]{32}\.7\.1\.pass\.example\.com$/u)],
      },
    });
    expect(await listEvents(world, graphId)).toMatchObject([{ status: "started", size: 0 }]);
  });

  it("starts nothing for a message that comes again, also under a new number", async () => {
    const { imap, graphId, poll } = await openDesk({ concurrency: "queue" });
    imap.add(await message("twice", "Order 1"));
    await poll();
    imap.add(await message("twice", "Order 1 again"));
    await poll();
    imap.renumber();
    await poll();
    expect(await listRuns(world, graphId)).toHaveLength(1);
    expect(await codes(graphId)).toEqual(["trigger_duplicate", "trigger_duplicate", "trigger_duplicate"]);
  });

  it("refuses late, large, unreadable, unfitting and unsigned messages, once each", async () => {
    const { imap, graphId, poll } = await openDesk({ signed_by: ["example.com"], concurrency: "queue" });
    const old = new Date(Date.now() - 100 * 3_600_000);
    const unsigned = "From: ada@example.com\r\nDate: Fri, 27 Nov 2026 10:00:00 +0000\r\nSubject: x\r\n\r\nx";
    const foreign = await compose({ from: "eve@evil.example", subject: "x", text: "x" }, createDkimKey("evil.example"));
    for (const raw of [
      await message("late", "Order 2", { date: old }),
      await message("large", "Order 3", { text: "x".repeat(2_200_000) }),
      "no message",
      await message("unfit", "x".repeat(41)),
      unsigned,
      foreign,
    ])
      imap.add(raw);
    await poll();
    await poll();
    expect(await listRuns(world, graphId)).toEqual([]);
    expect((await codes(graphId)).toSorted((one, other) => one.localeCompare(other))).toEqual([
      "trigger_late",
      "trigger_payload",
      "trigger_signature",
      "trigger_signature",
      "trigger_too_large",
      "value_invalid",
    ]);
  });

  it("lets no one without a demanded signature use up the id of a message", async () => {
    const { imap, graphId, poll } = await openDesk({ signed_by: [], concurrency: "queue" });
    const forged = { from: "eve@example.com", to: "desk@example.org", text: "x", messageId: "<wanted@example.com>" };
    imap.add(await compose({ ...forged, subject: "x" }));
    imap.add(await compose({ ...forged, subject: "x", text: "x".repeat(2_200_000) }));
    await poll();
    imap.add(await message("wanted", "Order 6"));
    await poll();
    expect((await codes(graphId)).toSorted((one, other) => one.localeCompare(other))).toEqual(["trigger_signature", "trigger_too_large"]);
    expect(await listRuns(world, graphId)).toHaveLength(1);
  });

  it.each(["queue", "replace", "drop"] as const)("takes turns by %s", async (concurrency) => {
    const { imap, graphId, poll } = await openDesk({ concurrency });
    for (const id of ["a", "b"]) {
      imap.add(await message(`${concurrency}-${id}`, id));
      await poll();
    }
    expect(await summary(graphId)).toEqual(["started", concurrency === "drop" ? "trigger_busy" : "queued"]);
  });
});

describe("a fleet", () => {
  it("reads a mailbox by one runner at a time", async () => {
    const { imap, graphId, read } = await openDesk();
    imap.add(await message("fleet", "Order 4"));
    offsetMs += 600_000;
    const counts = await Promise.all([1, 2, 3].map(() => readMailboxes(world.deps, read)));
    expect(counts.toSorted((one, other) => one - other)).toEqual([0, 0, 1]);
    await look(world);
    expect(await listRuns(world, graphId)).toHaveLength(1);
  });

  it("neither loses nor doubles a message of a runner that was killed, or that comes back late", async () => {
    const { imap, graphId, read, poll } = await openDesk({ concurrency: "queue" });
    imap.add(await message("killed", "Order 5"));
    const [asked, resumed] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
    const slow: ReadMailbox = async (workspace, request) => {
      const answer = await read(workspace, request);
      asked.resolve(null);
      await resumed.promise;

      return answer;
    };
    offsetMs += 600_000;
    const late = readMailboxes(world.deps, slow);
    await asked.promise;
    expect(await readMailboxes(world.deps, read)).toBe(0);
    await poll();
    expect(await listRuns(world, graphId)).toHaveLength(1);
    resumed.resolve(null);
    await late;
    await poll();
    expect(await listEvents(world, graphId)).toHaveLength(1);
    expect(await codes(graphId)).toEqual([]);
  });
});

describe("the position in a mailbox", () => {
  it("is kept over a new version with the same mailbox, and forgotten for another", async () => {
    const { graphId, id, trigger } = await openDesk();
    const read = async () =>
      (await queryOn<{ cursor: unknown }>(urls.admin, "select cursor from graph_trigger where graph_id = $1", [graphId]))[0]?.cursor;
    const before = await read();
    expect(before).toMatchObject({ at: { uid: 0, validity: "7" } });
    await publishOrders(world, [{ ...trigger, concurrency: "drop" }], { graphId, id });
    expect(await read()).toEqual(before);
    await publishOrders(world, [triggerSchema.parse({ ...trigger, mailbox: "Other" })], { graphId, id });
    expect(await read()).toBeNull();
  });

  it("says on the row why a mailbox is not read", async () => {
    const { graphId, poll } = await openDesk();
    const fault = async () =>
      (await queryOn<{ fault: string | null }>(urls.admin, "select fault from graph_trigger where graph_id = $1", [graphId]))[0]?.fault;
    expect(await fault()).toBeNull();
    await asAdmin(urls.admin, "update secret set name = 'gone' where workspace_id = $1", [world.workspace]);
    await poll();
    await asAdmin(urls.admin, "update secret set name = 'shop' where workspace_id = $1", [world.workspace]);
    expect(await fault()).toBe("no_secret");
    await poll();
    expect(await fault()).toBeNull();
  });

  it("can't be made by the web process", async () => {
    const insert = "insert into trigger_event (workspace_id, id, graph_id, trigger, body, kind) values ($1, $1, $1, 'desk', '', 'email')";
    await expect(queryOn(urls.web, insert, [world.workspace])).rejects.toThrow(/permission denied/u);
    await expect(queryOn(urls.web, "update graph_trigger set cursor = null", [])).rejects.toThrow(/permission denied/u);
  });
});
