/** Schema engine as WebAssembly, since `prisma` downloads a native engine. `_prisma_migrations` matches `prisma migrate deploy`. */
import fs from "node:fs";
import { createRequire } from "node:module";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import * as glue from "@prisma/schema-engine-wasm/schema_engine_bg";
import { withClient } from "../server/db/connect.ts";

const require = createRequire(import.meta.url);

let loaded: Promise<void> | null = null;

/** The engine's ten-second timer must not keep a finished process alive. */
const idle =
  (setTimer: WebAssembly.ImportValue) =>
  (callback: () => void, delayMs: number): NodeJS.Timeout => {
    // Returns a timer, like `setTimeout`.
    const timer = (setTimer as (callback: () => void, delayMs: number) => NodeJS.Timeout)(callback, delayMs);

    return timer.unref();
  };

const load = async (): Promise<void> => {
  const file = require.resolve("@prisma/schema-engine-wasm/schema_engine_bg").replace(/\.js$/u, ".wasm");
  // The generated glue imports itself, without types.
  const bindings = glue as unknown as { __wbg_set_wasm(exports: WebAssembly.Exports): void } & WebAssembly.ModuleImports;
  const imports = Object.fromEntries(
    Object.entries(bindings).map(([name, value]) => [name, name.includes("setTimeout") ? idle(value) : value]),
  );
  const { instance } = await WebAssembly.instantiate(fs.readFileSync(file), { "./schema_engine_bg.js": imports });

  bindings.__wbg_set_wasm(instance.exports);
  // Entry point, by wasm-bindgen's convention.
  (instance.exports["__wbindgen_start"] as () => void)();
  // The engine reports panics here.
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: () => undefined } });
};

/** One message is one transaction. Splitting at semicolons breaks functions and leaves half a migration. */
const runWhole = (url: string, script: string): Promise<void> =>
  withClient(url, async (client) => {
    await client.query(script);
  });

/** Runs `work`, then closes the engine's connections. */
export const withSchemaEngine = async <T>(url: string, schema: string, work: (engine: glue.SchemaEngine) => Promise<T>): Promise<T> => {
  loaded ??= load();
  await loaded;
  const factory = new PrismaPg({ connectionString: url });
  const connect = factory.connect.bind(factory);
  const open: { dispose(): Promise<void> }[] = [];

  factory.connect = async () => {
    const adapter = Object.assign(await connect(), { executeScript: (script: string) => runWhole(url, script) });

    open.push(adapter);

    return adapter;
  };
  try {
    const bound = bindMigrationAwareSqlAdapterFactory(factory);
    const engine = await glue.SchemaEngine.new({ datamodels: [["prisma/schema.prisma", schema]] }, () => undefined, bound);

    return await work(engine);
  } finally {
    await Promise.all(open.map((adapter) => adapter.dispose()));
  }
};
