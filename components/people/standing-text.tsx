import { Badge } from "@/components/ui/badge";
import type { Standing } from "@/lib/people/command";

export const StandingText = ({ role, auditor }: Standing) => (
  <>
    {role}
    {auditor ? <Badge className="ml-2">auditor</Badge> : null}
  </>
);
