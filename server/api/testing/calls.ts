import { Validator } from "@cfworker/json-schema";
import { expect } from "vitest";
import { describe } from "@/lib/api/contract";
import { API_PATH, ROUTES, type Operation } from "@/lib/api/routes";
import { serviceScopeSchema } from "@/lib/engine/principal";
import { buildOpenApi } from "@/server/api/openapi";
import type { Minted, Stand } from "@/server/outside/testing/fixture";

type Sent = { readonly token?: string | null; readonly body?: unknown; readonly text?: string; readonly headers?: Record<string, string> };

type Document = {
  components: object;
  paths: Record<string, Record<string, { responses: Record<string, { content: Record<string, { schema: Record<string, unknown> }> }> }>>;
};
const DOCUMENT = buildOpenApi() as unknown as Document;

export const DRAFT = {
  format: "countersign/graph/v1",
  id: "imported",
  name: "Imported",
  start_node: "write",
  end_nodes: ["write"],
  memory: [{ key: "out", schema: {} }],
  edges: [],
  nodes: [{ id: "write", kind: "transform", write_keys: ["out"], config: { set: [{ path: "out", value: "1" }] } }],
};

export type Calls = {
  readonly graphId: string;
  readonly token: string;
  readonly account: (change?: Parameters<Stand["mint"]>[0]) => Promise<Minted>;
  readonly send: (method: string, path: string, sent?: Sent) => Promise<Response>;
  /** Its answer is checked against the OpenAPI document. */
  readonly call: (operation: Operation, params?: Record<string, string>, sent?: Sent, search?: string) => Promise<Record<string, unknown>>;
  readonly start: (change?: Record<string, unknown>) => Record<string, unknown>;
};

export const openCalls = async (stand: Stand): Promise<Calls> => {
  const graphId = await stand.graphId("support-desk");
  const account: Calls["account"] = (change = {}) =>
    stand.mint({ ownerId: stand.desk.people.admin, scopes: [...serviceScopeSchema.options], ...change });
  const { token } = await account();
  const send: Calls["send"] = (method, path, { token: shown = token, body, text, headers } = {}) =>
    fetch(`${stand.origin}${API_PATH}${path}`, {
      method,
      headers: {
        ...(shown === null ? {} : { Authorization: `Bearer ${shown}` }),
        ...(body === undefined && text === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined && text === undefined ? {} : { body: text ?? JSON.stringify(body) }),
    });

  const call: Calls["call"] = async (operation, params = {}, sent = {}, search = "") => {
    const [method = "", path = ""] = ROUTES[operation].split(" ");
    const response = await send(method, `${path.replace(/\{(\w+)\}/gu, (_, name: string) => params[name] ?? "")}${search}`, sent);
    const text = await response.text();
    expect([operation, response.status, response.status < 300 ? "" : text]).toEqual([operation, describe(operation).status ?? 200, ""]);
    const schema = DOCUMENT.paths[path]?.[method.toLowerCase()]?.responses[String(response.status)]?.content["application/json"]?.schema;
    const value = JSON.parse(text) as Record<string, unknown>;
    const checked = new Validator({ ...schema, components: DOCUMENT.components }, "2020-12").validate(value);
    expect([operation, checked.errors]).toEqual([operation, []]);

    return value;
  };

  return {
    graphId,
    token,
    account,
    send,
    call,
    start: (change = {}) => ({
      graphId,
      goal: "Answer the mail.",
      inputs: { mail_file: "01-upgrade.txt" },
      model: "scripted:honest",
      ...change,
    }),
  };
};
