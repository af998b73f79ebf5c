import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { roleSchema } from "@/lib/roles";
import { dumpOf, recordsOf } from "@/server/outside/testing/records";
import { openStand, type Stand } from "@/server/outside/testing/fixture";
import { query, startRun } from "@/server/runner/testing/desk";
import { callerAs, freshSession } from "@/server/testing/caller";
import { appRouter } from "@/server/trpc/root";
import { respondLedgerDownload, respondLedgerRecords } from "@/server/web/ledger-download";
import { exportContent } from "@/server/web/export-run";
import { callerSignedIn, openServers, plantSecrets, type Planted } from "./testing/planted-secrets";

const LOG = "runner.log";
const open = await openStand({ logTo: LOG });
const servers = await openServers();

let stand: Stand;
let planted: Planted;
let known: Readonly<Record<string, unknown>>;
/** By command line. */
let environments: readonly { readonly line: string; readonly environment: string }[];

/** By their scratch homes. */
const environmentsUnder = (home: string) =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
        if (!environment.includes(`HOME=${path.join(home, "scratch")}`)) return [];

        return [{ line: readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "), environment }];
      } catch {
        // It ended meanwhile.
        return [];
      }
    });

beforeAll(async () => {
  stand = await open();
  const { desk } = stand;
  planted = await plantSecrets(stand, servers);
  const run = await startRun(desk, "honest", "02-outage-credit.txt");
  const [approval] = await vi.waitFor(
    async () => {
      const rows = await query<{ id: string }>(desk.urls.admin, "select id from approval where run_id = $1", [run]);
      if (rows.length === 0) throw new Error("nothing waits yet");

      return rows;
    },
    { timeout: 60_000, interval: 200 },
  );
  environments = environmentsUnder(desk.installation.home);
  const [graph] = await query<{ id: string }>(desk.urls.admin, "select graph_id as id from graph_version where hash = $1", [
    desk.graphHash,
  ]);
  known = {
    runId: run,
    runIds: [run],
    approvalId: approval?.id,
    endpointId: planted.endpoint,
    userId: desk.people.reviewer,
    graphId: graph?.id,
    hash: desk.graphHash,
    a: run,
    b: run,
    path: "customer",
    seq: 20,
    index: 0,
    server: "by-header",
    revision: 1,
  };
  const builder = await callerSignedIn(stand, "builder", desk.people.builder);
  await builder.runs.attest({ runId: run });
}, 240_000);
afterAll(() => stand.close());

/** Each alignment is cut to its independent part. */
const base64Of = (bytes: Buffer): readonly string[] =>
  [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .slice(4, -8),
  );

const spellings = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret);
  const base64 = base64Of(bytes);

  return [
    secret,
    ...base64,
    ...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
    bytes.toString("hex"),
    encodeURIComponent(secret),
    new URLSearchParams([["", secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    Array.from(secret).toReversed().join(""),
  ];
};

/** @returns places of found secrets */
const foundIn = (text: string, except: readonly string[] = []): readonly string[] =>
  Object.entries(planted.secrets).flatMap(([place, secret]) =>
    !except.includes(place) && spellings(secret).some((form) => text.includes(form)) ? [place] : [],
  );

const get = (value: unknown, key: PropertyKey): unknown => Reflect.get(Object(value), key);
const questions = Object.entries<unknown>(Object(get(get(appRouter, "_def"), "procedures"))).flatMap(([name, each]) => {
  const schema: unknown = Object(get(get(each, "_def"), "inputs"))[0];

  return get(get(each, "_def"), "type") === "mutation" ? [] : [{ name, fields: Object.keys(Object(get(schema, "shape"))) }];
});

const told = (error: unknown): unknown =>
  error instanceof Error ? [error.message, error.stack, told(error.cause), JSON.stringify(error)] : (error ?? null);

const firstOf = async (answer: unknown): Promise<unknown> => {
  const start: unknown = get(answer, Symbol.asyncIterator);
  if (typeof start !== "function") return answer;
  const stream = Reflect.apply(start, answer, []) as AsyncIterator<unknown>;
  const first = await stream.next();
  await stream.return?.();

  return first.value;
};

type Who = { readonly role: (typeof roleSchema.options)[number]; readonly auditor: boolean };
const EVERYBODY: readonly Who[] = roleSchema.options.flatMap((role) => [false, true].map((auditor) => ({ role, auditor })));

/** `id` is a graph's or a server's. */
const answerTo = async (name: string, fields: readonly string[], { role, auditor }: Who): Promise<string> => {
  const { desk } = stand;
  const caller = callerAs(desk.workspace, role, { id: desk.people[role], auditor });
  const asked: unknown = name.split(".").reduce<unknown>(get, caller);
  if (typeof asked !== "function") throw new Error(`${name} is not a procedure`);
  const names = { ...known, id: name.startsWith("mcp.") ? "by-header" : known["graphId"] };
  const input = Object.fromEntries(Object.entries(names).filter(([field]) => fields.includes(field)));
  try {
    return JSON.stringify((await firstOf(await Reflect.apply(asked, undefined, [fields.length === 0 ? undefined : input]))) ?? null);
  } catch (error) {
    return JSON.stringify(told(error));
  }
};

test("finds planted secrets in every encoding", () => {
  const { secrets } = planted;
  expect(Object.values(secrets).filter((secret) => secret.length < 16)).toEqual([]);
  for (const [place, secret] of Object.entries(secrets)) {
    const hidden = [
      secret,
      `x${Buffer.from(`ab${secret}cd`).toString("base64")}`,
      Buffer.from(secret).toString("hex"),
      encodeURIComponent(secret),
    ];
    for (const text of hidden) expect(foundIn(text)).toContain(place);
  }
});

test.each(questions)("$name reveals no secret in any role", async ({ name, fields }) => {
  for (const who of EVERYBODY) expect({ ...who, found: foundIn(await answerTo(name, fields, who)) }).toEqual({ ...who, found: [] });
});

test("the calls really succeed on things that hold the secrets", async () => {
  const admin: Who = { role: "admin", auditor: false };
  const texts = await Promise.all(questions.map(async ({ name, fields }) => [name, await answerTo(name, fields, admin)] as const));
  const answers = Object.fromEntries(texts);

  expect(answers["secrets.list"]).toContain("maps-key");
  expect(answers["mcp.get"]).toContain("by-header");
  expect(answers["models.settings"]).toContain("ours");
  expect(answers["webhooks.get"]).toContain("hooks.example.com");
  expect(answers["people.list"]).toContain("Ines Vale");
});

test.each(["kept", "by_header", "by_oauth", "by_refusal", "by_program", "by_provider", "by_person"])(
  "using the secret returns none of it: %s",
  (use) => {
    expect(foundIn(JSON.stringify(planted.heard[use]))).toEqual([]);
  },
);

test("a server repeating its header, token or environment is redacted, also when it refuses", () => {
  const { by_header: header, by_oauth: token, by_program: program, by_refusal: refusal } = planted.heard;

  for (const answer of [header, token, program])
    expect([get(answer, "status"), JSON.stringify(answer).includes("[redacted]")]).toEqual(["ok", true]);
  expect(JSON.stringify(program)).toContain("MAPS_KEY");
  expect(JSON.stringify(refusal)).toContain("did not answer");
});

test("no table row contains a secret", async () => {
  expect(foundIn(await dumpOf(stand.desk))).toEqual([]);
});

test("the runner's trace log contains none", () => {
  const text = readFileSync(path.join(stand.desk.installation.home, LOG), "utf8");

  expect(text.length).toBeGreaterThan(100);
  expect(foundIn(text)).toEqual([]);
});

describe("what leaves", () => {
  const signedIn = (role: Who["role"]) => ({
    requestId: "test",
    signedIn: async () => ({
      user: { id: stand.desk.people[role], name: role, email: "a@example.com" },
      workspace: { id: stand.desk.workspace, name: "Test", demo: false },
      role,
      auditor: true,
      session: freshSession(),
    }),
  });

  test.each(EVERYBODY)("a run's bundle has none for $role, auditor: $auditor", async ({ role, auditor }) => {
    const exporter = { workspaceId: stand.desk.workspace, userId: stand.desk.people[role], role, auditor };
    const text = JSON.stringify(await exportContent(exporter, String(known["runId"]), Date.now()));

    expect(text).toContain("countersign/export/v1");
    expect(foundIn(text)).toEqual([]);
  });

  test.each(roleSchema.options)("a workspace's ledger has none for %s", async (role) => {
    const responses = await Promise.all([respondLedgerRecords(signedIn(role)), respondLedgerDownload(signedIn(role), Date.now())]);
    const texts = await Promise.all(responses.map((response) => response.text()));

    expect(texts.map((text) => text.includes("countersign/workspace/v1"))).toEqual([true, true]);
    for (const text of texts) expect(foundIn(text)).toEqual([]);
  });

  test("the workspace's records of admin steps have none", async () => {
    const records = await recordsOf(stand.desk);

    expect(records.flatMap(({ control }) => control.flatMap((event) => (event.type === "admin_changed" ? [event.area] : [])))).toEqual(
      expect.arrayContaining(["mcp", "models", "people"]),
    );
    expect(foundIn(JSON.stringify(records))).toEqual([]);
  });
});

describe("programs that the runner started", () => {
  test("have only their own settings in their environment", () => {
    const program = environments.filter(({ line }) => line.includes("server-everything"));
    const others = environments.filter((each) => !program.includes(each));

    expect(program.map(({ environment }) => foundIn(environment))).toEqual(program.map(() => ["header"]));
    expect(others.map(({ line, environment }) => [line, foundIn(environment)])).toEqual(others.map(({ line }) => [line, []]));
    expect([program.length, others.length > 1]).toEqual([1, true]);
  });

  test("have no secret on their command line", () => {
    expect(environments.flatMap(({ line }) => foundIn(line))).toEqual([]);
  });
});
