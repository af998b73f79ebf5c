import { serve } from "@/server/mcp/bundled/serve";
import { createLibraryServer } from "./server";

serve("library", createLibraryServer);
