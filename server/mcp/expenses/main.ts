import { serve } from "@/server/mcp/bundled/serve";
import { createExpensesServer } from "./server";

serve("expenses", createExpensesServer);
