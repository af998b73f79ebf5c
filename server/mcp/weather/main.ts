/** Entry point of the weather server. */
import { serve } from "@/server/mcp/bundled/serve";
import { createWeatherServer } from "./server";

serve("weather", createWeatherServer);
