import type { z } from "zod";
import { CONTRACT } from "@/lib/api/contract";
import type { Operation } from "@/lib/api/routes";
import { isSafeAddress } from "@/lib/api/safe-address";
import { readJsonText } from "@/lib/json-text";
import { CountersignError, createClient, type CallOptions, type Client, type Input } from "@/lib/public/client";
import type { Arguments } from "@/server/cli/arguments";
import { CliFailure, type CliHost } from "@/server/cli/host";
import { isToken } from "@/server/outside/token-form";

const MIB = 1_048_576;
const MAX_BYTES = 16 * MIB;
const MAX_EXPORT_BYTES = 256 * MIB;
const MAX_DEPTH = 100;
const TIMEOUT_MS = 60_000;
const ATTEMPTS = 3;

export const REMOTE_OPTIONS = { remote: "string", "token-env": "string" } as const;

/** The other side has something newer. */
export class RemoteConflict extends CliFailure {}

type Streamed = "followRun" | "exportRun";
type Answer<O extends Operation> = z.output<(typeof CONTRACT)[O]["response"]>;

export type Remote = {
  readonly call: <O extends Exclude<Operation, Streamed>>(operation: O, input: Input<O>, options?: CallOptions) => Promise<Answer<O>>;
  readonly exportRun: (runId: string) => Promise<string>;
  readonly followRun: (runId: string) => AsyncGenerator<Answer<"followRun">>;
};

const readAddress = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !isSafeAddress(url) || url.username !== "" || url.password !== "")
    throw new CliFailure("--remote expects the https address of an installation (http only on this machine)");

  return url;
};

const readBounded = async (response: Response, maxBytes: number): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new CliFailure(`the server sent more than ${maxBytes / MIB} MiB`);
    chunks.push(chunk);
  }

  return Buffer.concat(chunks).toString("utf8");
};

const isStream = (response: Response): boolean => response.headers.get("content-type")?.startsWith("text/event-stream") === true;

const fetchBounded: typeof globalThis.fetch = async (input, init) => {
  const isEvents = typeof input === "string" && input.endsWith("/events");
  const isExport = typeof input === "string" && input.endsWith("/export");
  // A redirect is an answer: to follow it would send the token on.
  const signal = isEvents ? null : AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(input, { ...init, redirect: "manual", signal });
  if (response.ok && isStream(response)) return response;
  const { status, headers } = response;
  const maxBytes = isExport ? MAX_EXPORT_BYTES : MAX_BYTES;
  const text = await readBounded(response, maxBytes);
  const isJson = readJsonText(text, { maxBytes, maxDepth: MAX_DEPTH }).ok;

  return new Response(isJson ? text : "null", {
    status,
    headers: { ...Object.fromEntries(headers), ...(isJson ? {} : { "content-type": "text/plain" }) },
  });
};

const explain = (error: unknown, origin: string): CliFailure => {
  if (error instanceof CliFailure) return error;
  if (!(error instanceof CountersignError)) return new CliFailure(`cannot reach ${origin}`, error);
  const { code, status, refusal, message, issues } = error;
  if (code === "unexpected") return new CliFailure(`the server answered ${status}`);
  if (code === "conflict") return new RemoteConflict(message);
  const faults = issues.map(({ path, message: fault }) => ` ${path}: ${fault}`).join(";");

  return new CliFailure(`the server refused (${refusal ?? code}): ${message}${faults}`);
};

const parse = <O extends Operation>(operation: O, value: unknown): Answer<O> => {
  const answer = CONTRACT[operation].response.safeParse(value);
  if (!answer.success) throw new CliFailure("the server's answer has another form: is it the same version of Countersign?");

  return answer.data as Answer<O>;
};

const openRemote = (host: CliHost, remote: string, variable: string): Remote => {
  const { origin } = readAddress(remote);
  const token = host.secret(variable) ?? "";
  if (!isToken(token)) throw new CliFailure(`environment variable ${variable} does not contain a token`);
  const client: Client = createClient({ url: origin, token, attempts: ATTEMPTS, fetch: fetchBounded });
  const explained = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch((error: unknown) => {
      throw explain(error, origin);
    });

  return {
    call: async (operation, input, options) => {
      const ask = client[operation] as (input: unknown, options?: CallOptions) => Promise<unknown>;

      return parse(operation, await explained(ask(input, options)));
    },
    exportRun: (runId) => explained(client.exportRun({ runId })),
    followRun: async function* (runId) {
      try {
        for await (const event of client.followRun({ runId })) yield parse("followRun", event);
      } catch (error) {
        throw explain(error, origin);
      }
    },
  };
};

export const openRemoteOf = (args: Arguments, host: CliHost): Remote | null => {
  const remote = args.text("remote");

  return remote === null ? null : openRemote(host, remote, args.text("token-env") ?? "COUNTERSIGN_TOKEN");
};

export const demandRemote = (args: Arguments, host: CliHost): Remote => {
  const remote = openRemoteOf(args, host);
  if (!remote) throw new CliFailure("this command needs --remote URL: it acts as a service account");

  return remote;
};
