/** A demo server's state: one file, replaced atomically. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { digestOf, hexDigestSchema } from "@/lib/hash";
import { jsonSchema, type JsonObject } from "@/lib/json";
import { err, ok, type Result } from "@/lib/result";

export type KeyFault = "key_missing" | "key_reused";

/** `key`: our idempotency key. */
export type Change = { readonly tool: string; readonly arguments: JsonObject; readonly key: unknown };

type Applied<T, F> = Result<{ readonly data: T; readonly result: JsonObject }, F>;

export type State<T> = {
  read(): Promise<T>;
  /** Once per key. A refused change leaves nothing. */
  once<F>(change: Change, apply: (data: T, id: string) => Applied<T, F>): Promise<Result<JsonObject, F | KeyFault>>;
};

const keySchema = z.string().min(1).max(200);

const appliedSchema = z.record(keySchema, z.strictObject({ digest: hexDigestSchema, result: z.record(z.string(), jsonSchema) }));

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";

const ID_CHARACTERS = 12;

/** @param empty the initial state */
export const openState = <T>(folder: string, schema: z.ZodType<T>, empty: T): State<T> => {
  const file = path.join(folder, "state.json");
  const stored = z.strictObject({ data: schema, applied: appliedSchema });
  type Stored = z.infer<typeof stored>;

  const load = async (): Promise<Stored> => {
    const text = await readFile(file, "utf8").catch((error: unknown) => {
      if (!isMissing(error)) throw error;

      return null;
    });

    return text === null ? { data: empty, applied: {} } : stored.parse(JSON.parse(text));
  };
  const save = async (state: Stored): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(`${file}.new`, JSON.stringify(state, null, 1), { mode: 0o600 });
    await rename(`${file}.new`, file);
  };

  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <R>(work: () => Promise<R>): Promise<R> => {
    const mine = turn.then(work, work);
    turn = mine;

    return mine;
  };

  return {
    read: async () => (await load()).data,
    once: (change, apply) =>
      inTurn(async () => {
        const key = keySchema.safeParse(change.key);
        if (!key.success) return err("key_missing");
        const digest = digestOf("arguments", { tool: change.tool, arguments: change.arguments });
        const state = await load();
        const before = Object.hasOwn(state.applied, key.data) ? state.applied[key.data] : undefined;
        if (before) return before.digest === digest ? ok(before.result) : err("key_reused");
        const applied = apply(state.data, digestOf("arguments", { key: key.data }).slice(0, ID_CHARACTERS));
        if (!applied.ok) return applied;
        const { data, result } = applied.value;
        await save({ data, applied: { ...state.applied, [key.data]: { digest, result } } });

        return ok(result);
      }),
  };
};
