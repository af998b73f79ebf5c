import { Badge } from "@/components/ui/badge";
import { Mark } from "@/components/ui/marks/mark";
import type { QueueRow } from "./types";

export const ApprovalStatusMark = ({ status }: { readonly status: QueueRow["status"] }) => {
  switch (status) {
    case "open":
      return <Mark kind="waiting">Open</Mark>;
    case "approved":
      return <Mark kind="reviewed">Approved</Mark>;
    case "rejected":
      return <Mark kind="refused">Rejected</Mark>;
    case "expired":
      return <Mark kind="hidden">Expired</Mark>;
    case "changes_requested":
      return <Mark kind="refused">Changes requested</Mark>;
    case "superseded":
      return <Badge>Superseded</Badge>;
    case "void":
      return <Badge>Void</Badge>;
    default:
      return status satisfies never;
  }
};
