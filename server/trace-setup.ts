/** Not even loaded unless configured. */
import { readEnv } from "@/server/env";
import { log } from "@/server/log";
import { useTracer } from "@/server/trace";

export type Tracing = {
  /** Flushes within seconds. */
  readonly close: () => Promise<void>;
};

const CLOSE_MS = 3_000;
/** Above all of ours; longer values are cut. */
const MAX_ATTRIBUTE_CHARS = 200;

/** Starts tracing; null without an endpoint. The exporter reads the other `OTEL_EXPORTER_OTLP_*` variables. */
export const startTracing = async (service: "countersign-runner" | "countersign-web"): Promise<Tracing | null> => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own, OTEL_TRACES_SAMPLER_ARG: share } = readEnv();
  if (all === undefined && own === undefined) return null;
  const [sdk, { OTLPTraceExporter }, { detectResources, envDetector, resourceFromAttributes }] = await Promise.all([
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
  ]);
  // Other detectors expose command lines, users and addresses.
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
