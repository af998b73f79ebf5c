/** Entry point of the shop server. */
import { serve } from "@/server/mcp/bundled/serve";
import { createShopServer } from "./server";

serve("shop", createShopServer);
