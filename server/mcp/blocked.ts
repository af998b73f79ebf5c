import { AppError } from "@/lib/errors";
import type { EgressFault } from "@/server/security/egress-url";

export const createEgressBlocked = (fault: EgressFault): AppError =>
  new AppError("egress_blocked", {
    ...(fault === "not_https"
      ? { message: "The address must begin with https://. The operator can open other origins with COUNTERSIGN_MCP_ORIGINS." }
      : {}),
    cause: new Error(fault),
  });
