/** Faults go to stderr: stdio is the protocol. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { Pool } from "pg";
import { z } from "zod";
import { systemClock } from "@/server/clock";
import { readEnv } from "@/server/env";
import { watchAnchor } from "@/server/security/anchor-file";
import { ensureTables } from "./schema";
import { createCustomersServer } from "./server";

const configuration = z
  .object({
    DATABASE_URL: z.string(),
    COUNTERSIGN_TRUST_ANCHOR: z.string(),
  })
  .parse(readEnv());

const complain = (error: Error): void => {
  process.stderr.write(`customers: ${error.name}\n`);
};

const pool = new Pool({ connectionString: configuration.DATABASE_URL, max: 4, connectionTimeoutMillis: 10_000 });
pool.on("error", complain);
const anchor = watchAnchor(configuration.COUNTERSIGN_TRUST_ANCHOR, complain);

await ensureTables(pool);
serveStdio(() => createCustomersServer({ pool, anchor, clock: systemClock }), {
  onerror: complain,
});

// The pool would keep it alive.
process.stdin.once("close", () => {
  void pool.end();
});
