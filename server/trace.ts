/**
 * Spans hold no values or messages. The tracer is private: on the global one, framework and model SDK would record addresses and
 * prompts. `traceparent` joins our processes only, never others.
 */
import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import {
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type SpanContext,
  type Tracer,
} from "@opentelemetry/api";

type AttributeName =
  | "gen_ai.operation.name"
  | "gen_ai.workflow.name"
  | "gen_ai.agent.id"
  | "gen_ai.agent.name"
  | "gen_ai.provider.name"
  | "gen_ai.request.model"
  | "gen_ai.response.model"
  | "gen_ai.response.finish_reasons"
  | "gen_ai.usage.input_tokens"
  | "gen_ai.usage.output_tokens"
  | "gen_ai.tool.name"
  | "gen_ai.tool.type"
  | "gen_ai.tool.call.id"
  | "error.type"
  | "server.address"
  | "server.port"
  | "countersign.workspace"
  | "countersign.run"
  | "countersign.graph.hash"
  | "countersign.node"
  | "countersign.node.kind"
  | "countersign.server"
  | "countersign.seq"
  | "countersign.outcome"
  | "rpc.method";

export type SpanAttributes = { readonly [name in AttributeName]?: string | number | string[] };

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

const TRACEPARENT = /^00-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-(?<flags>0[01])$/u;

const parseTraceparent = (text: string): SpanContext | null => {
  const { traceId, spanId, flags } = TRACEPARENT.exec(text)?.groups ?? {};
  const context = { ...INVALID_SPAN_CONTEXT, ...(traceId && spanId && { traceId, spanId, traceFlags: Number(flags), isRemote: true }) };

  return isSpanContextValid(context) ? context : null;
};

const findSpan = (): SpanContext | null => {
  const { tracer, here } = tracing();

  return (tracer && trace.getSpanContext(here.getStore() ?? ROOT_CONTEXT)) ?? null;
};

/** Formats the open span as W3C trace context; null without tracing. */
export const formatTraceparent = (): string | null => {
  const span = findSpan();

  return span && `00-${span.traceId}-${span.spanId}-0${span.traceFlags & 1}`;
};

export const findTraceId = (): string | null => findSpan()?.traceId ?? null;

/** Runs work in a span. @param name such as `chat claude-sonnet-5` @param traceparent of another process of ours */
export const runInSpan = async <T>(
  name: string,
  attributes: SpanAttributes,
  work: (note: Note) => Promise<T>,
  kind: keyof typeof KINDS = "inside",
  traceparent: string | null = null,
): Promise<T> => {
  const { tracer, here } = tracing();
  if (!tracer) return work(nothing);
  const caller = traceparent === null ? null : parseTraceparent(traceparent);
  const parent = caller ? trace.setSpanContext(ROOT_CONTEXT, caller) : (here.getStore() ?? ROOT_CONTEXT);
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

/** Describes an endpoint, without path, query and credentials. */
export const describeServer = ({ hostname, port, protocol }: URL): SpanAttributes => ({
  "server.address": hostname,
  "server.port": Number(port === "" ? (protocol === "http:" ? 80 : 443) : port),
});
