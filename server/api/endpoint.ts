import type { z } from "zod";
import type { CONTRACT } from "@/lib/api/contract";
import type { Operation, ROUTES } from "@/lib/api/routes";
import type { Account } from "./account";

type Contract = typeof CONTRACT;

export type AccountOperation = Exclude<Operation, "answerWaitByToken">;

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

type Parsed<O extends Operation, Part extends "query" | "body"> =
  Contract[O] extends Record<Part, infer Schema> ? (Schema extends z.ZodType ? z.output<Schema> : undefined) : undefined;

export type Call<O extends Operation> = {
  readonly account: Account;
  readonly params: Readonly<Record<NamesIn<(typeof ROUTES)[O]>, string>>;
  readonly query: Parsed<O, "query">;
  readonly body: Parsed<O, "body">;
  /** Id of the command that this request stands for; equal for a repeat with the same Idempotency-Key. */
  readonly command: string;
} & (Contract[O] extends { readonly takesFile: true } ? { readonly file: Request } : unknown);

type Answer<O extends Operation> = Contract[O] extends { readonly type: "events" }
  ? AsyncGenerator<z.input<Contract[O]["response"]>>
  : Contract[O] extends { readonly type: "file" }
    ? Promise<Iterator<string>>
    : Promise<z.input<Contract[O]["response"]>>;

export type Handler<O extends Operation> = (call: Call<O>) => Answer<O>;

export type Handlers<O extends AccountOperation = AccountOperation> = { readonly [K in O]: Handler<K> };
