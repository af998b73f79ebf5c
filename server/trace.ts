/**
 * Spans of what this process does, where traces are switched on (trace-setup). A span says what was done, by which part of which
 * graph, how long it took and whether it worked: never a value, a prompt, an argument or an answer, and no error's message.
 *
 * The tracer is ours alone and not the global one: the web framework and the model SDK would fill spans of their own with
 * addresses and prompts. Nothing is sent along with calls either (`traceparent`): it would tell servers of others our ids.
 */
import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context, type Tracer } from "@opentelemetry/api";

/** All that spans may say: the GenAI conventions' names, and a few of our own. */
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

/** Says more about the span that is open. An `error.type` makes it one of something that went wrong. */
export type Note = (attributes: SpanAttributes) => void;

type Held = { tracer: Tracer | null; readonly here: AsyncLocalStorage<Context> };

/** On `globalThis` because a web bundler may load this module more than once. */
const held = Symbol.for("countersign.trace");

// A symbol property of globalThis has no declared type; this is the only place that reads or writes it.
const slot = globalThis as unknown as { [held]?: Held };

const tracing = (): Held => (slot[held] ??= { tracer: null, here: new AsyncLocalStorage() });

/** Switches spans on, or (null) off again. */
export const useTracer = (tracer: Tracer | null): void => {
  tracing().tracer = tracer;
};

const nothing: Note = () => undefined;

const KINDS = { inside: SpanKind.INTERNAL, asks: SpanKind.CLIENT, answers: SpanKind.SERVER } as const;

/** The class of an error is a word of some program; its name and message could be anybody's. */
const errorTypeOf = (error: unknown): string => (error instanceof Error ? error.constructor.name : "_OTHER");

/**
 * Does the work within a span: whatever it does on its way is inside of that. Without tracing it is just done.
 * @param name an operation and what it is about, as in `chat claude-sonnet-5`
 * @param kind whether another machine is asked, or somebody is answered
 */
export const inSpan = async <T>(
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
    // Whoever has said what went wrong knows it better.
    if (!hasFailed) note({ "error.type": errorTypeOf(error) });
    throw error;
  } finally {
    span.end();
  }
};

/** What others call later, from wherever they are, as a part of the span that is open now. */
export const inThisSpan = (work: () => void): (() => void) => (tracing().tracer ? AsyncResource.bind(work) : work);
