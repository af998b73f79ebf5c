/** Lower bound of a durable, provable step. */
import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import pg from "pg";
import { must } from "@/bench/section";
import { orderSchema, startStopwatch, type Measured } from "@/bench/steps/contestant";

const TABLES = `
  CREATE TABLE IF NOT EXISTS floor_head (run uuid PRIMARY KEY, version int NOT NULL, head text NOT NULL);
  CREATE TABLE IF NOT EXISTS floor_record (run uuid NOT NULL, seq int NOT NULL, patch text NOT NULL, digest text NOT NULL,
    signature text NOT NULL, PRIMARY KEY (run, seq))`;

const STEP = `
WITH head AS (
  UPDATE floor_head SET version = version + 1, head = $4 WHERE run = $1::uuid AND version = $2 AND head = $3 RETURNING run
)
INSERT INTO floor_record (run, seq, patch, digest, signature) SELECT run, $2, $5, $4, $6 FROM head`;

/** Equal to the product's pool. */
const CONNECTIONS = 10;

export const measureFloor = async (text: string): Promise<Measured> => {
  const order = orderSchema.parse(JSON.parse(text));
  const pool = new pg.Pool({ connectionString: order.databaseUrl, max: CONNECTIONS });
  const { privateKey } = generateKeyPairSync("ed25519");
  const drive = async (steps: number, onStep: (run: string) => void): Promise<string> => {
    const run = randomUUID();
    let head = "0".repeat(64);
    await pool.query("insert into floor_head values ($1, 0, $2)", [run, head]);
    for (let seq = 0; seq < steps; seq += 1) {
      const patch = JSON.stringify({ count: seq + 1 });
      const digest = createHash("sha256").update(patch).update(head).digest();
      const next = digest.toString("hex");
      const values = [run, seq, head, next, patch, sign(null, digest, privateKey).toString("base64url")];
      const { rowCount } = await pool.query({ name: "step", text: STEP, values });
      must(rowCount === 1, "the floor lost its head");
      head = next;
      onStep(run);
    }

    return run;
  };
  await pool.query(TABLES);
  const warm = await drive(order.warmSteps, () => undefined);
  const watch = startStopwatch();
  const startedAt = performance.now();
  const made = await Promise.all(Array.from({ length: order.runs }, () => drive(order.steps, watch.step)));
  const seconds = (performance.now() - startedAt) / 1_000;
  const count = async (runs: readonly string[]): Promise<number> => {
    const { rows } = await pool.query<{ n: number }>("select count(*)::int as n from floor_record where run = any($1)", [runs]);

    return rows[0]?.n ?? 0;
  };
  const [steps, warmed] = [await count(made), await count([warm])];
  await pool.end();

  return { steps, warmed, seconds, latencies: watch.latencies };
};
