import { CONTRACT } from "@/lib/api/contract";
import { problemSchema } from "@/lib/api/resources";
import { API_PATH, ROUTES, type Operation } from "@/lib/api/routes";
import { graphSchema, type Graph } from "@/lib/graph/document";
import { readJsonText } from "@/lib/json-text";
import { CliFailure, type CliHost } from "@/server/cli/host";
import { isToken } from "@/server/outside/token-form";
import type { z } from "zod";
import { SourceConflict, type GraphSource } from "./source";

const MAX_BYTES = 16 * 1_048_576;
const MAX_DEPTH = 100;
const TIMEOUT_MS = 60_000;
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/u;

type Given = { readonly path?: string; readonly query?: Record<string, string>; readonly body?: unknown };
type Answer<O extends Operation> = z.output<(typeof CONTRACT)[O]["response"]>;

const readAddress = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
  if (!url || !isSafe || url.username !== "" || url.password !== "")
    throw new CliFailure("--remote expects the https address of an installation (http only on this machine)");

  return url;
};

const readBounded = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new CliFailure(`the server sent more than ${MAX_BYTES / 1_048_576} MiB`);
    chunks.push(chunk);
  }

  return Buffer.concat(chunks).toString("utf8");
};

const refuse = (status: number, value: unknown): never => {
  const problem = problemSchema.safeParse(value).data;
  if (!problem) throw new CliFailure(`the server answered ${status}`);
  if (problem.code === "conflict") throw new SourceConflict(problem.title);
  const issues = problem.issues.map(({ path, message }) => ` ${path}: ${message}`).join(";");
  throw new CliFailure(`the server refused (${problem.refusal ?? problem.code}): ${problem.title}${issues}`);
};

const readGraph = (document: unknown): Graph => {
  const graph = graphSchema.safeParse(document);
  if (!graph.success) throw new CliFailure("the server sent a document that is no graph of this version of Countersign");

  return graph.data;
};

const createCall =
  (address: URL, token: string) =>
  async <O extends Operation>(operation: O, { path = "", query = {}, body }: Given = {}): Promise<Answer<O>> => {
    const [method = "", route = ""] = ROUTES[operation].split(" ");
    const url = new URL(`${API_PATH}${route.replace("{graphId}", encodeURIComponent(path))}`, address);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const response = await fetch(url, {
      method,
      // Would send the token on.
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { Authorization: `Bearer ${token}`, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new CliFailure(`cannot reach ${address.origin}`, error);
    });
    const json = readJsonText(await readBounded(response), { maxBytes: MAX_BYTES, maxDepth: MAX_DEPTH });
    if (!response.ok) return refuse(response.status, json.ok ? json.value : null);
    const answer = CONTRACT[operation].response.safeParse(json.ok ? json.value : null);
    if (!answer.success) throw new CliFailure("the server's answer has another form: is it the same version of Countersign?");

    return answer.data as Answer<O>;
  };

export const openRemoteSource = (host: CliHost, remote: string, variable: string): GraphSource => {
  const address = readAddress(remote);
  const token = host.secret(variable) ?? "";
  if (!isToken(token)) throw new CliFailure(`environment variable ${variable} does not contain a token`);
  const call = createCall(address, token);

  return {
    list: async (documentId) => {
      const ids: string[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const query = { limit: "100", ...(cursor === "" ? {} : { cursor }), ...(documentId === null ? {} : { documentId }) };
        const page: Answer<"listGraphs"> = await call("listGraphs", { query });
        ids.push(...page.items.map(({ id }) => id));
        cursor = page.items.length === 0 ? null : page.nextCursor;
      }

      return ids;
    },
    readDraft: async (path) => {
      const draft = await call("getGraph", { path });

      return { ...draft, document: readGraph(draft.document) };
    },
    readVersion: async (path, number) => {
      const query: Record<string, string> = number === null ? {} : { number: String(number) };

      return readGraph((await call("getVersion", { path, query })).document);
    },
    compare: async (path, before, after) => call("compareGraph", { path, body: { before, after } }),
    create: async (document) => (await call("importGraph", { body: { document, keepsId: true } })).id,
    save: async (path, revision, document) => (await call("saveDraft", { path, body: { revision, document } })).revision,
    listRequests: async (path) => (await call("listPublicationRequests", { path })).items,
    ask: async ({ id, revision, hash }) => {
      const { status, id: request, problems = [] } = await call("requestPublication", { path: id, body: { revision, hash } });
      if (status === "requested" && request !== undefined) return { status, id: request };

      return { status: "invalid_graph", problems };
    },
  };
};
