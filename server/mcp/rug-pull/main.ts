import { serve } from "@/server/mcp/bundled/serve";
import { createRugPullServer } from "./server";

serve("rug-pull", createRugPullServer);
