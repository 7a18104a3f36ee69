import "./style/colours.css";
import "./style/base.css";
import "./style/parts.css";
import "./style/tables.css";
import "./style/letters.css";
import "./style/overlays.css";
import "./style/shell.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { answers } from "./api/answers.js";
import { trackUserActivity } from "./api/attention.js";
import { startLanguage } from "./language/language.js";
import { router } from "./shell/router.js";

startLanguage();
trackUserActivity();
const place = document.getElementById("console");
if (place)
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={answers}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
