/** Lower bound: one prepared statement per table. */
import { createPublicKey, hash, verify, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import pg from "pg";
import { listPublicKeys } from "@/server/security/trust-anchor";
import type { Vault } from "@/server/security/vault";

type RecordRow = { readonly seq: number; readonly body: string; readonly digest: string; readonly kid: string; readonly signature: string };
type CellRow = {
  readonly seq: number;
  readonly index: number;
  readonly path: string;
  readonly label: string;
  readonly commitment: string;
  readonly sealed: Buffer;
  readonly wrapped_key: Buffer;
};

const RECORDS = "select seq, body, digest, kid, signature from ledger_record where run_id = $1 and seq > $2 and seq <= $3 order by seq";
const CELLS =
  "select seq, index, path, label, commitment, sealed, wrapped_key from cell where run_id = $1 and seq > $2 and seq <= $3 order by seq, index";
const RUNS = `select id, graph_id, status, current_node, version, head, refusals, created_at, updated_at from run
  where workspace_id = $1 and (created_at, id) < ($2, $3) order by created_at desc, id desc limit $4`;

const APPROVALS = `select id, run_id, node, reason, prompt, role, status, authority, agent, opened_at, expires_at from approval
  where workspace_id = $1 and status = 'open' order by expires_at, id limit $2`;
const APPROVALS_BY_CLASS =
  "select authority, count(*)::int as waiting from approval where workspace_id = $1 and status = 'open' group by authority";

const verifyInThread = promisify(verify);

const keyOf = (publicKey: string): KeyObject => createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: publicKey }, format: "jwk" });

/** On the machine's threads. */
const areSigned = async (records: readonly RecordRow[], keys: ReadonlyMap<string, KeyObject>): Promise<boolean> => {
  const answers = await Promise.all(
    records.map(async ({ body, digest, kid, signature }) => {
      const key = keys.get(kid);
      if (!key || hash("sha256", `countersign/record/v1\0${body}`) !== digest) return false;

      return verifyInThread(null, Buffer.from(digest, "hex"), key, Buffer.from(signature, "base64url"));
    }),
  );

  return answers.every(Boolean);
};

const plain = (bytes: Buffer) => Uint8Array.from(bytes);

type Standing = { readonly events: number; readonly cells: ReadonlyMap<string, unknown> };

export type Floor = {
  /** After `afterSeq` up to `seq`. */
  rows(run: string, afterSeq: number, seq: number): Promise<{ records: readonly RecordRow[]; cells: readonly CellRow[] }>;
  /** Values per path, and events. */
  stateAt(run: string, seq: number): Promise<Standing>;
  /** With digests and signatures verified. */
  checkedStateAt(run: string, seq: number): Promise<Standing & { readonly areSigned: boolean }>;
  runs(before: Date, limit: number): Promise<number>;
  approvals(limit: number): Promise<number>;
  approvalsByClass(): Promise<number>;
  close(): Promise<void>;
};

const HIGHEST = "ffffffff-ffff-ffff-ffff-ffffffffffff";

export const openFloor = async (url: string, workspace: string, vault: Vault): Promise<Floor> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const rows: Floor["rows"] = async (run, afterSeq, seq) => {
    const values = [run, afterSeq, seq];
    const records = await client.query<RecordRow>({ name: "floor-records", text: RECORDS, values });
    const cells = await client.query<CellRow>({ name: "floor-cells", text: CELLS, values });

    return { records: records.rows, cells: cells.rows };
  };

  const standingOf = (run: string, { records, cells }: Awaited<ReturnType<Floor["rows"]>>): Standing => {
    const events = records.flatMap(({ body }) => (JSON.parse(body) as { control: readonly unknown[] }).control);
    const standing = new Map<string, unknown>();
    for (const { sealed, wrapped_key: wrappedKey, ...cell } of cells) {
      const opened = vault.openCell({ workspace, run, ...cell }, { sealed: plain(sealed), wrappedKey: plain(wrappedKey) });
      standing.set(cell.path, typeof opened === "string" ? undefined : opened.value);
    }

    return { events: events.length, cells: standing };
  };
  const counted = async (name: string, text: string, values: readonly unknown[]) =>
    (await client.query({ name, text, values: [...values] })).rows.length;

  return {
    rows,
    stateAt: async (run, seq) => standingOf(run, await rows(run, -1, seq)),
    checkedStateAt: async (run, seq) => {
      const found = await rows(run, -1, seq);
      const known = Object.entries(await listPublicKeys());
      const signed = areSigned(found.records, new Map(known.map(([kid, key]) => [kid, keyOf(key)])));

      return { ...standingOf(run, found), areSigned: await signed };
    },
    runs: (before, limit) => counted("floor-runs", RUNS, [workspace, before, HIGHEST, limit]),
    approvals: (limit) => counted("floor-approvals", APPROVALS, [workspace, limit]),
    approvalsByClass: () => counted("floor-approvals-by-class", APPROVALS_BY_CLASS, [workspace]),
    close: () => client.end(),
  };
};
