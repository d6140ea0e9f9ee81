import type { TemplateResult } from "lit";
import { css, html } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Filter } from "../model/filter.ts";
import { isFiltering, kindFilters, noFilter, stateFilters } from "../model/filter.ts";
import { shortGroup } from "../model/nodes.ts";
import { icon } from "./icons.ts";
import { PanelElement } from "./panel-element.ts";

/** Narrows the list by state, kind, group and text. */
export class PanelFilters extends PanelElement {
  static override properties = { filter: { attribute: false }, groups: { attribute: false } };
  declare filter: Filter;
  declare groups: readonly string[];

  static override styles = [
    PanelElement.styles,
    css`
      [role="search"] {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 6px;
      }
      input,
      select {
        height: 26px;
        min-width: 0;
        padding: 0 6px;
        border-radius: 4px;
        font: inherit;
      }
      input {
        flex: 2 1 160px;
        border: 1px solid var(--vscode-settings-textInputBorder, var(--vscode-input-border, var(--line)));
        background: var(--vscode-settings-textInputBackground, var(--vscode-input-background));
        color: var(--vscode-settings-textInputForeground, var(--vscode-input-foreground));
      }
      /* The one button that clears is the row's own. */
      input::-webkit-search-cancel-button {
        display: none;
      }
      /* Its place is kept, so that nothing moves while the reader types. */
      button.idle {
        visibility: hidden;
      }
      input::placeholder {
        color: var(--vscode-input-placeholderForeground);
      }
      select {
        flex: 1 1 110px;
        max-width: 220px;
        border: 1px solid
          var(
            --vscode-settings-dropdownBorder,
            var(--vscode-dropdown-border, var(--vscode-contrastBorder, transparent))
          );
        background: var(--vscode-settings-dropdownBackground, var(--vscode-dropdown-background));
        color: var(--vscode-settings-dropdownForeground, var(--vscode-dropdown-foreground));
        text-overflow: ellipsis;
      }
      select.set {
        border-color: var(--vscode-focusBorder);
      }
    `,
  ];

  override render(): TemplateResult {
    const { texts, filter } = this;
    const clear = texts.t("filter.clear");
    return html`<div role="search" aria-label=${texts.t("filter")}>
      <input
        type="search"
        aria-label=${texts.t("filter.text")}
        placeholder=${texts.t("filter.text")}
        .value=${filter.text}
        @input=${(event: Event) => this.#set({ text: (event.target as HTMLInputElement).value })}
      />
      ${this.#select(
        "state",
        stateFilters.map((name) => [name, texts.t(`filter.state.${name}`)]),
      )}
      ${this.#select(
        "kind",
        kindFilters.map((name) => [name, texts.t(`filter.kind.${name}`)]),
      )}
      ${this.#select("group", [
        ["all", texts.t("filter.group.all")],
        ...this.groups.map((group) => [group, shortGroup(group)] as const),
      ])}
      <button
        class="action ${isFiltering(filter) ? "" : "idle"}"
        title=${clear}
        aria-label=${clear}
        @click=${() => this.#clear()}
      >
        ${icon("clear-all")}
      </button>
    </div>`;
  }

  #select(name: "state" | "kind" | "group", options: readonly (readonly [string, string])[]): TemplateResult {
    const chosen = this.filter[name];
    return html`<select
      aria-label=${this.texts.t(`filter.${name}`)}
      data-filter=${name}
      class=${chosen === "all" ? "" : "set"}
      @change=${(event: Event) => this.#set({ [name]: (event.target as HTMLSelectElement).value })}
    >
      ${repeat(
        options,
        ([value]) => value,
        ([value, label]) => html`<option value=${value} .selected=${value === chosen}>${label}</option>`,
      )}
    </select>`;
  }

  /** The button vanishes by it; the focus goes to where the next filter is typed. */
  #clear(): void {
    this.#set(noFilter);
    this.renderRoot.querySelector("input")?.focus();
  }

  #set(change: Partial<Filter>): void {
    this.emit("arrange", { filter: { ...this.filter, ...change } });
  }
}
customElements.define("panel-filters", PanelFilters);
