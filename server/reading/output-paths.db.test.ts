/** Procedures, routes and tools without a row fail. */
import fs from "node:fs";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Role } from "@/lib/roles";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { useDatabase } from "@/server/db/client";
import { closeRunBus } from "@/server/live/run-bus";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { holds } from "@/server/outside/testing/records";
import { command, query } from "@/server/runner/testing/desk";
import { forkRun } from "@/server/runner/testing/fork";
import { ask, drive, readRun } from "@/server/runner/testing/run";
import type { Account } from "@/server/api/account";
import { RUNS } from "@/server/api/endpoints/runs";
import { callerAs, freshSession } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";
import { appRouter } from "@/server/trpc/root";
import { respondArtifact } from "@/server/web/artifacts";
import { bundleResponse } from "@/server/web/bundle-stream";
import { respondLedgerDownload, respondLedgerRecords } from "@/server/web/ledger-download";
import { exportTrust } from "@/server/web/trust-export";
import { CHANGES, OTHER_CHANGES } from "./testing/changes";
import { openReviewDesk, type ReviewDesk } from "./testing/review-desk";

vi.setConfig({ testTimeout: 120_000 });

const CANARY = `canary ${randomUUID()} of the contract`;

const urls = await testDatabase("runner");
const installation = await testInstallation();
vi.stubEnv("COUNTERSIGN_HOME", installation.home);

let review: ReviewDesk;
let run: string;
let other: string;
/** Shares records with `run`; has no open case. */
let fork: string;
/** Its own case is closed, a fork's is open. */
let parent: string;
let child: string;
let unseen: string;
let known: Readonly<Record<string, unknown>>;

const attest = async (id: string): Promise<void> => {
  const { desk } = review;
  const ledger = getWorkspaceLedgerId(desk.workspace);
  await command(desk, ledger, desk.people.viewer, { kind: "attest", run: id });
  await drive(desk, ledger);
};

beforeAll(async () => {
  review = await openReviewDesk(urls, installation, CANARY);
  const { desk } = review;
  [run, other] = [await review.start(), await review.start("01-upgrade.txt")];
  const { records } = await readRun(desk, run);
  const copied = records.findIndex(({ record }) => record.writes.some(({ path: at }) => at === "copy"));
  ({ run: fork } = await forkRun(desk, run, copied + 1, { type: "none" }));
  [parent, unseen] = [await review.start(), await review.start()];
  ({ run: child } = await forkRun(desk, parent, copied + 1, { type: "none" }));
  await drive(desk, child);
  await review.speak(parent, "reject");
  await ask(desk, run, desk.people.starter, { kind: "comment", text: `Look: "${CANARY}"` });
  for (const { id } of await query<{ id: string }>(urls.admin, "select id from approval where run_id = $1 and status = 'open'", [run])) {
    await ask(desk, run, desk.people.starter, { kind: "comment", approval_id: id, text: `Look: "${CANARY}"` });
  }
  await review.startDriven();
  for (const id of [run, fork]) await attest(id);
  const [approval] = await query<{ id: string }>(urls.admin, "select id from approval where run_id = $1", [run]);
  const [graph] = await query<{ id: string }>(urls.admin, "select graph_id as id from graph_version where hash = $1", [desk.graphHash]);
  const [effect] = records.flatMap(({ record }) =>
    record.control.flatMap((event) => (event.type === "effect_intended" ? [event.effect_id] : [])),
  );
  known = {
    runId: run,
    runIds: [run],
    approvalId: approval?.id,
    ids: [approval?.id],
    effectId: effect,
    id: graph?.id,
    graphId: graph?.id,
    hash: desk.graphHash,
    a: run,
    b: other,
    path: "copy",
    index: 0,
    server: "filesystem",
    revision: 1,
  };
  await useDatabase(urls.web);
}, 240_000);
afterAll(async () => {
  closeRunBus();
  await review.desk.mcp.close();
});

const READERS = (["viewer", "builder", "admin", "reviewer"] as const).flatMap((role) =>
  [false, true].map((auditor) => ({ role, auditor, name: auditor ? `${role} and auditor` : role })),
);
type Reader = (typeof READERS)[number];

const get = (value: unknown, key: PropertyKey): unknown => Reflect.get(Object(value), key);
const procedures = Object.entries<unknown>(Object(get(get(appRouter, "_def"), "procedures"))).map(([name, each]) => ({
  name,
  type: String(get(get(each, "_def"), "type")),
  fields: Object.keys(Object(get(Object(get(get(each, "_def"), "inputs"))[0], "shape"))),
}));

const told = (error: unknown): unknown =>
  error instanceof Error ? [error.message, told(error.cause), JSON.stringify(error)] : (error ?? null);

const firstOf = async (answer: unknown): Promise<unknown> => {
  const open: unknown = get(answer, Symbol.asyncIterator);
  if (typeof open !== "function") return answer;
  const stream = Reflect.apply(open, answer, []) as AsyncIterator<unknown>;
  const first = await stream.next();
  await stream.return?.();

  return first.value;
};

const callerOf = ({ role, auditor }: Pick<Reader, "role" | "auditor">) =>
  callerAs(review.desk.workspace, role, { id: review.desk.people[role], auditor });

const answerTo = async (
  name: string,
  fields: readonly string[],
  reader: Pick<Reader, "role" | "auditor">,
  more: object = {},
): Promise<string> => {
  const asked: unknown = name.split(".").reduce<unknown>(get, callerOf(reader));
  if (typeof asked !== "function") throw new Error(`${name} is not a procedure`);
  const given: Readonly<Record<string, unknown>> = { ...known, ...more };
  const input = Object.fromEntries(fields.flatMap((field) => (field in given ? [[field, given[field]]] : [])));
  try {
    return JSON.stringify((await firstOf(await Reflect.apply(asked, undefined, [fields.length === 0 ? undefined : input]))) ?? null);
  } catch (error) {
    return JSON.stringify(told(error));
  }
};

describe("while a case is open, its subject is in no answer of", () => {
  test.each(procedures.filter(({ type }) => type !== "mutation"))("$name", async ({ name, fields }) => {
    for (const reader of READERS) {
      const answer = await answerTo(name, fields, reader);
      expect({ reader: reader.name, told: holds(answer, CANARY) }).toEqual({ reader: reader.name, told: false });
    }
  });

  test.each(["runs.records", "runs.state", "runs.compare"])("%s, for a fork that shares the records", async (name) => {
    const { fields = [] } = procedures.find((each) => each.name === name) ?? {};
    for (const reader of READERS) expect(holds(await answerTo(name, fields, reader, { runId: fork, a: fork }), CANARY)).toBe(false);
  });

  test.each([0, 5, 8, 100])("runs.state at record %i, before or after the case opened", async (seq) => {
    expect(holds(await answerTo("runs.state", ["runId", "seq"], { role: "viewer", auditor: false }, { seq }), CANARY)).toBe(false);
  });

  test("a mutation, except the listed ones", () => {
    const changes = procedures.filter(({ type }) => type === "mutation").map(({ name }) => name);
    expect(changes).toEqual(expect.arrayContaining(Object.keys(CHANGES)));
    expect(changes.filter((name) => !(name in CHANGES)).toSorted()).toEqual(OTHER_CHANGES);
  });
});

const asRequest = ({ role, auditor }: Pick<Reader, "role" | "auditor">) => ({
  requestId: randomUUID(),
  address: "test",
  host: "localhost",
  signedIn: async () => ({
    user: { id: review.desk.people[role], name: role, email: `${role}@test.invalid` },
    workspace: { id: review.desk.workspace, name: "Test", demo: false },
    role,
    auditor,
    session: freshSession(),
  }),
});

const serviceAccount = () =>
  ({
    workspaceId: review.desk.workspace,
    token: { id: randomUUID(), graphs: null },
    signal: new AbortController().signal,
  }) as unknown as Account;

/** Null: nothing about runs. */
const ROUTES: Readonly<Record<string, ((reader: Reader) => Promise<Response>[]) | null>> = {
  "api/artifacts": null,
  "api/auth/[...nextauth]": null,
  "api/health": null,
  "api/live": null,
  "api/metrics": null,
  "api/oidc/logout": null,
  "api/slack/interactions": null,
  "api/triggers/[workspace]/[graph]/[trigger]": null,
  "api/ledger/verifier": null,
  ".well-known/oauth-protected-resource/[...path]": null,
  ".well-known/oauth-authorization-server": null,
  ".well-known/[...path]": null,
  "api/[[...path]]": null,
  "scim/v2/[...path]": null,
  "api/oauth/authorize": null,
  "api/oauth/register": null,
  "api/oauth/revoke": null,
  "api/oauth/token": null,
  // Tried per procedure and tool.
  "api/trpc/[trpc]": null,
  "api/mcp/[workspace]/[graph]": null,
  "api/ledger/export": (reader) => [respondLedgerDownload(asRequest(reader), Date.now())],
  "api/ledger/records": (reader) => [respondLedgerRecords(asRequest(reader))],
  "api/trust/export": (reader) =>
    ["csv", "jsonl"].map((format) =>
      exportTrust(new URL(`http://localhost/api/trust/export?format=${format}`), asRequest(reader), Date.now()),
    ),
  // Accounts have no role. Their export is the bundle below, with a viewer's eyes.
  "api/v1/[...path]": () =>
    [run, fork].map(async (runId) => {
      const call = { account: serviceAccount(), params: { runId }, query: {}, body: undefined, command: randomUUID() };

      return Response.json([await RUNS.getRunState(call), await RUNS.getRun({ ...call, query: { wait: 0 } })]);
    }),
  "api/runs/[id]/artifacts": (reader) =>
    [run, fork].map((id) => {
      const body = JSON.stringify({ seq: 0, index: 0, file: "0".repeat(64) });
      const request = new Request("http://localhost/", { method: "POST", headers: { "sec-fetch-site": "same-origin" }, body });

      return respondArtifact(asRequest(reader), request, id);
    }),
  "api/runs/[id]/export": (reader) => [run, fork].map((id) => bundleResponse(id, asRequest(reader), Date.now())),
};

const APP = path.resolve(import.meta.dirname, "../../app");
const routes = fs
  .readdirSync(APP, { recursive: true, encoding: "utf8" })
  .filter((file) => path.basename(file) === "route.ts")
  .map((file) => path.dirname(file).split(path.sep).join("/"));

describe("while a case is open, its subject is in no route:", () => {
  test("each has a row", () => {
    expect(routes.toSorted()).toEqual(Object.keys(ROUTES).toSorted());
  });

  test.each(routes)("%s", async (route) => {
    for (const reader of READERS) {
      for (const response of await Promise.all(ROUTES[route]?.(reader) ?? [])) {
        expect({ reader: reader.name, told: holds(await response.text(), CANARY) }).toEqual({ reader: reader.name, told: false });
      }
    }
  });

  test("although a run's bundle is really made", async () => {
    const response = await bundleResponse(run, asRequest({ role: "viewer", auditor: false }), Date.now());
    expect(await response.json()).toMatchObject({ format: "countersign/export/v1", ledger: { run } });
  });
});

describe("a value under review", () => {
  test("is distinguished from values hidden by clearance", async () => {
    const page = await callerOf({ role: "viewer", auditor: false }).runs.records({ runId: run });
    const withheld = page.cells.filter((cell) => cell.withheld === "review");
    expect(withheld.map(({ path: at }) => at.replace(/\..*$/u, "")).toSorted()).toEqual(
      expect.arrayContaining(["$result", "copy", "mail", "other"]),
    );
    expect(withheld.every(({ opened }) => opened === null)).toBe(true);
  });

  test("in a case only the fork has is also hidden from readers of its parent", async () => {
    expect(holds(await answerTo("runs.records", ["runId"], { role: "viewer", auditor: false }, { runId: parent }), CANARY)).toBe(false);
  });

  test("is everything when the cases cannot be determined", async () => {
    await asAdmin(urls.admin, "alter table ledger_record disable trigger insert_only");
    const [row] = await query<{ body: string }>(urls.admin, "select body from ledger_record where run_id = $1 and seq = 1", [unseen]);
    await asAdmin(urls.admin, "update ledger_record set body = 'no record' where run_id = $1 and seq = 1", [unseen]);
    try {
      const answer = await callerOf({ role: "viewer", auditor: false }).runs.records({ runId: unseen });
      expect(answer.cells.filter(({ opened }) => opened !== null)).toEqual([]);
    } finally {
      await asAdmin(urls.admin, "update ledger_record set body = $2 where run_id = $1 and seq = 1", [unseen, row?.body ?? ""]);
      await asAdmin(urls.admin, "alter table ledger_record enable trigger insert_only");
    }
  });
});

const SHOWING = ["runs.records", "runs.state", "approvals.get", "comments.ofRun"] as const;

test("after the case, clearance alone decides: the same requests show it", async () => {
  closeRunBus();
  await useDatabase(urls.runner);
  await review.speak(run, "approve");
  await review.speak(child, "reject");
  await attest(run);
  await useDatabase(urls.web);
  for (const name of SHOWING) {
    const { fields = [] } = procedures.find((each) => each.name === name) ?? {};
    for (const role of ["viewer", "builder", "reviewer", "admin"] satisfies Role[]) {
      expect({ name, role, told: holds(await answerTo(name, fields, { role, auditor: false }), CANARY) }).toEqual({
        name,
        role,
        told: true,
      });
    }
  }
  expect(holds(await answerTo("runs.records", ["runId"], { role: "viewer", auditor: false }, { runId: parent }), CANARY)).toBe(true);
  const viewer = READERS.find(({ name }) => name === "viewer") ?? READERS[0];
  const bundle = viewer && (await (await bundleResponse(run, asRequest(viewer), Date.now())).text());
  expect(holds(bundle ?? "", CANARY)).toBe(true);
});
