/**
 * Spans hold no values or messages. The tracer is private: on the global one, framework and model SDK would record addresses and
 * prompts. No `traceparent`, which would expose our ids.
 */
import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context, type Tracer } from "@opentelemetry/api";

type AttributeName =
  | "gen_ai.operation.name"
  | "gen_ai.workflow.name"
  | "gen_ai.agent.id"
  | "gen_ai.agent.name"
  | "gen_ai.provider.name"
  | "gen_ai.request.model"
  | "gen_ai.response.model"
  | "gen_ai.usage.input_tokens"
  | "gen_ai.usage.output_tokens"
  | "gen_ai.tool.name"
  | "gen_ai.tool.type"
  | "gen_ai.tool.call.id"
  | "error.type"
  | "countersign.workspace"
  | "countersign.run"
  | "countersign.graph.hash"
  | "countersign.node"
  | "countersign.node.kind"
  | "countersign.server"
  | "countersign.seq"
  | "countersign.outcome"
  | "rpc.method";

export type SpanAttributes = { readonly [name in AttributeName]?: string | number };

/** Adds to the open span. An `error.type` marks it failed. */
export type Note = (attributes: SpanAttributes) => void;

type Held = { tracer: Tracer | null; readonly here: AsyncLocalStorage<Context> };

/** A web bundler may load this module more than once. */
const held = Symbol.for("countersign.trace");

// A symbol property of globalThis has no declared type.
const slot = globalThis as unknown as { [held]?: Held };

const tracing = (): Held => (slot[held] ??= { tracer: null, here: new AsyncLocalStorage() });

/** Null disables spans. */
export const useTracer = (tracer: Tracer | null): void => {
  tracing().tracer = tracer;
};

const nothing: Note = () => undefined;

const KINDS = { inside: SpanKind.INTERNAL, asks: SpanKind.CLIENT, answers: SpanKind.SERVER } as const;

/** Names and messages can hold foreign text. */
const errorTypeOf = (error: unknown): string => (error instanceof Error ? error.constructor.name : "_OTHER");

/** Runs work in a span. @param name such as `chat claude-sonnet-5` */
export const runInSpan = async <T>(
  name: string,
  attributes: SpanAttributes,
  work: (note: Note) => Promise<T>,
  kind: keyof typeof KINDS = "inside",
): Promise<T> => {
  const { tracer, here } = tracing();
  if (!tracer) return work(nothing);
  const parent = here.getStore() ?? ROOT_CONTEXT;
  const span = tracer.startSpan(name, { attributes, kind: KINDS[kind] }, parent);
  let hasFailed = false;
  const note: Note = (more) => {
    span.setAttributes(more);
    if (more["error.type"] === undefined) return;
    hasFailed = true;
    span.setStatus({ code: SpanStatusCode.ERROR });
  };
  try {
    return await here.run(trace.setSpan(parent, span), () => work(note));
  } catch (error) {
    if (!hasFailed) note({ "error.type": errorTypeOf(error) });
    throw error;
  } finally {
    span.end();
  }
};

export const bindToSpan = (work: () => void): (() => void) => (tracing().tracer ? AsyncResource.bind(work) : work);
