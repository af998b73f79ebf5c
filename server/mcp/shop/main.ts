import { serve } from "@/server/mcp/bundled/serve";
import { createShopServer } from "./server";

serve("shop", createShopServer);
