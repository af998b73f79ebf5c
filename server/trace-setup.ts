/** Exports spans to a collector (OTLP over HTTP, JSON) if configured; otherwise not even loaded. */
import { readEnv } from "@/server/env";
import { log } from "@/server/log";
import { useTracer } from "@/server/trace";

export type Tracing = {
  /** Flushes within seconds and ends tracing. */
  readonly close: () => Promise<void>;
};

const CLOSE_MS = 3_000;
/** Above all of ours; longer values are cut. */
const MAX_ATTRIBUTE_CHARS = 200;

/**
 * Starts tracing when `OTEL_EXPORTER_OTLP_ENDPOINT` (or the traces variant) is set. The exporter reads the other `OTEL_EXPORTER_OTLP_*`
 * variables, including credential headers.
 * @param service default for OTEL_SERVICE_NAME
 * @returns null without a destination
 */
export const startTracing = async (service: "countersign-runner" | "countersign-web"): Promise<Tracing | null> => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own, OTEL_TRACES_SAMPLER_ARG: share } = readEnv();
  if (all === undefined && own === undefined) return null;
  const [sdk, { OTLPTraceExporter }, { detectResources, envDetector, resourceFromAttributes }] = await Promise.all([
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
  ]);
  // Only the environment's attributes: other detectors expose command lines, users and addresses.
  const resource = resourceFromAttributes({ "service.name": service }).merge(detectResources({ detectors: [envDetector] }));
  const provider = new sdk.TracerProvider({
    resource,
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(share) }),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_CHARS },
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  useTracer(provider.getTracer("countersign"));
  log().info({ to: new URL(own ?? all ?? "").host, share }, "traces are sent");

  return {
    close: async () => {
      useTracer(null);
      const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
};
