/** OTLP collector that keeps every byte. */
import http from "node:http";
import { z } from "zod";

const textSchema = z.looseObject({ stringValue: z.string().optional() });
const valueSchema = textSchema.extend({
  intValue: z.union([z.number(), z.string()]).optional(),
  arrayValue: z.looseObject({ values: z.array(textSchema) }).optional(),
});
const spanSchema = z.looseObject({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes: z.array(z.object({ key: z.string(), value: valueSchema })),
  status: z.looseObject({ code: z.number().optional(), message: z.string().optional() }),
  events: z.array(z.unknown()).default([]),
  links: z.array(z.unknown()).default([]),
});
const exportSchema = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })) })),
});

export type SentSpan = {
  readonly id: string;
  readonly parent: string | null;
  readonly trace: string;
  readonly name: string;
  readonly kind: number;
  readonly failed: boolean;
  readonly said: Readonly<Record<string, string | number>>;
  readonly extras: number;
};

export type Collector = {
  readonly origin: string;
  readonly bodies: readonly string[];
  readonly spans: () => readonly SentSpan[];
  readonly close: () => Promise<void>;
};

const FAILED = 2;

const spanOf = (span: z.infer<typeof spanSchema>): SentSpan => ({
  id: span.spanId,
  parent: span.parentSpanId || null,
  trace: span.traceId,
  name: span.name,
  kind: span.kind,
  failed: span.status.code === FAILED,
  said: Object.fromEntries(
    span.attributes.map(({ key, value }) => [
      key,
      value.arrayValue?.values.map((one) => one.stringValue).join() ?? value.stringValue ?? Number(value.intValue),
    ]),
  ),
  extras: span.events.length + span.links.length + (span.status.message === undefined ? 0 : 1),
});

export const startCollector = async (): Promise<Collector> => {
  const bodies: string[] = [];
  const server = http.createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      bodies.push(`${request.url}\n${JSON.stringify(request.headers)}\n${body}`);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();

  return {
    origin: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    bodies,
    spans: () =>
      bodies
        .flatMap((text) => exportSchema.parse(JSON.parse(text.split("\n").slice(2).join("\n"))).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(spanOf))),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
