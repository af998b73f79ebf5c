import { describe } from "@/lib/api/contract";
import { AppError } from "@/lib/errors";
import { openWhile } from "@/server/trpc/open-while";
import { countStream } from "@/server/trpc/per-person";
import { streamText } from "@/server/web/text-stream";
import type { Account } from "./account";
import { deferStart } from "./deferred-start";
import type { AccountOperation, Call } from "./endpoint";
import type { Keyed } from "./idempotency";
import { HANDLERS } from "./table";

type Given = {
  readonly account: Account;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly file: Request | undefined;
  readonly command: string;
};

/** Longest time a stream outlives its token. */
const STILL_MS = 5_000;

async function* toEvents(operation: AccountOperation, items: AsyncIterable<unknown>): AsyncGenerator<string> {
  const { response } = describe(operation);
  for await (const item of items) yield `data: ${JSON.stringify(response.parse(item))}\n\n`;
}

const openStream = async (operation: AccountOperation, { account }: Given, items: AsyncGenerator): Promise<Response> => {
  const objection = async () => ((await account.isStillAllowed()) ? null : new AppError("unauthenticated"));
  const events = toEvents(operation, openWhile(countStream(account.token.id, items), objection, STILL_MS));
  // A missing run is answered as a problem, not as a broken stream.
  const first = await events.next();
  const all = (async function* () {
    if (!first.done) yield first.value;
    yield* events;
  })();

  return new Response(streamText(all, account.requestId), { headers: { "Content-Type": "text/event-stream; charset=utf-8" } });
};

type Deferrable = Pick<Given, "account" | "body"> & { readonly key: Keyed };

export const deferCall = async (operation: AccountOperation, { account, body, key }: Deferrable): Promise<Response | null> => {
  const accepted = operation === "startRun" ? await deferStart(account, body as Call<"startRun">["body"], key) : null;

  return accepted && Response.json(accepted, { status: 202, headers: { "Preference-Applied": "respond-async" } });
};

/** Drops members that the contract does not list. */
export const answerCall = async (operation: AccountOperation, given: Given): Promise<Response> => {
  const { type = "json", status = 200, response } = describe(operation);
  const handler = HANDLERS[operation] as (call: Given) => unknown;
  const answered: unknown = handler(given);
  if (type === "events") return openStream(operation, given, answered as AsyncGenerator);
  const value: unknown = await answered;
  if (type === "file") {
    return new Response(streamText(value as Iterator<string>, given.account.requestId), {
      headers: { "Content-Type": "application/json; charset=utf-8" },
    });
  }

  return Response.json(response.parse(value), { status });
};
