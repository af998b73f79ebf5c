import { Mark } from "@/components/ui/marks/mark";
import type { EndpointView } from "@/server/trpc/routers/webhooks/list";
import { OFF } from "./labels";

export const Standing = ({ endpoint }: { readonly endpoint: EndpointView }) => {
  const { offReason: off, failures } = endpoint;
  if (off === "admin") return <Mark kind="hidden">{OFF.admin.label}</Mark>;
  if (off !== null) return <Mark kind="refused">{OFF[off].label}</Mark>;

  return failures > 0 ? <Mark kind="tainted">Failing</Mark> : <Mark kind="clean">On</Mark>;
};
