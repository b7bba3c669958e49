// What is shown. Every text from the controller goes into the page as text, never as markup; the one picture it draws
// is parsed as a picture, and taken over element by element.
import { ask, askText, store } from './page.js';

const SVG = 'http://www.w3.org/2000/svg';
const DRAWN = new Set(['svg', 'g', 'rect', 'text', 'path', 'title', 'style']);

// ---- elements -------------------------------------------------------------------------------

function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) {
      element.setAttribute(key, value);
    }
  }
  element.append(...children.filter((child) => child !== undefined && child !== ''));
  return element;
}

const GOOD = new Set(['applied', 'configured', 'obtained', 'done', 'adopted', 'created', 'running']);
const WAIT = new Set(['pending', 'retrying', 'reverted', 'undone', 'discovered', 'superseded', 'reserved', 'starting']);

function tone(word) {
  return GOOD.has(word) ? 'good' : WAIT.has(word) ? 'wait' : 'bad';
}

function word(text) {
  return el('span', { class: 'word ' + tone(text) }, text);
}

function millis(micros) {
  return micros === undefined ? '' : micros < 1e6 ? (micros / 1000).toFixed(1) + ' ms' : (micros / 1e6).toFixed(2) + ' s';
}

function time(text) {
  return el('time', { datetime: text, title: text }, new Date(text).toLocaleTimeString());
}

function table(caption, heads, rows) {
  if (rows.length === 0) {
    return el('p', { class: 'soft' }, caption + ': none');
  }
  const head = el('tr', {}, ...heads.map(([text, kind]) => el('th', { scope: 'col', class: kind }, text)));
  return el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    el('table', {}, el('caption', {}, caption), el('thead', {}, head), el('tbody', {}, ...rows)));
}

function facts(pairs) {
  const list = el('dl', { class: 'facts' });
  for (const [name, value] of pairs) {
    if (value !== undefined && value !== '') {
      list.append(el('dt', {}, name), el('dd', {}, value));
    }
  }
  return list;
}

const valueLink = (key) => el('a', { href: '#/value/' + encodeURIComponent(key), 'data-keep': key }, key);

// ---- events ---------------------------------------------------------------------------------

let known = new Set();

export async function drawEvents(place) {
  const events = [...store.events.values()].sort((a, b) => b.sequence - a.sequence);
  const rows = events.map((event) => {
    const steps = event.transaction?.steps ?? [];
    const done = steps.filter((step) => step.act === 'done').length;
    const undone = steps.filter((step) => step.act === 'undone').length;
    const counts = steps.length === 0 ? '' : done + ' done' + (undone ? ', ' + undone + ' undone' : '');
    return el('tr', { class: known.has(event.sequence) ? undefined : 'new' },
      el('td', { class: 'number' }, el('a', { href: '#/event/' + event.sequence, 'data-keep': 'e' + event.sequence },
        String(event.sequence))),
      el('td', { class: 'wide' }, time(event.start)),
      el('td', {}, event.type, el('div', { class: 'narrow soft' }, event.description)),
      el('td', {}, event.outcome ? word(event.outcome) : 'running'),
      el('td', { class: 'number' }, millis(event.micros)),
      el('td', { class: 'wide' }, (event.handlers ?? []).filter((h) => !h.revert).map((h) => h.handler).join(', ')),
      el('td', { class: 'wide' }, counts),
      el('td', { class: 'wide' }, event.description, event.failed && event.failures.length
        ? el('div', { class: 'bad' }, event.failures[0].message) : ''));
  });
  known = new Set(events.map((event) => event.sequence));
  place.append(el('h2', {}, 'Events'));
  if (store.missed) {
    place.append(el('p', { class: 'soft' }, store.missed + ' came faster than this page could show them'));
  }
  place.append(table('The newest events, as they end', [['#', 'number'], ['start', 'wide'], ['event'], ['ended'],
    ['took', 'number'], ['handlers', 'wide'], ['steps', 'wide'], ['what', 'wide']], rows));
}

/** One event as a timeline: handlers, then steps, each as long as it took, behind the one before. */
export async function drawEvent(place, [sequence]) {
  const event = await ask('/api/v1/events/' + sequence);
  place.append(el('h2', {}, 'Event ' + event.sequence + ', ' + event.type),
    facts([['what', event.description], ['ended', event.outcome ? word(event.outcome) : 'running'],
      ['method', event.method], ['pushed', event.pushed], ['start', event.start], ['took', millis(event.micros)],
      ['follows up', event.parent === undefined ? '' : el('a', { href: '#/event/' + event.parent }, 'event ' + event.parent)],
      ['transaction', event.transaction?.number === undefined ? '' : String(event.transaction.number)]]));
  const handlers = event.handlers.map((handler) => ({
    name: handler.handler + (handler.revert ? ', revert' : ''), micros: handler.micros, note: handler.change,
    kind: handler.failure ? 'failed' : handler.revert ? 'undone' : 'done', failure: handler.failure,
  }));
  const steps = (event.transaction?.steps ?? []).map((step) => ({
    name: step.step, micros: step.micros, note: step.act + ' by ' + step.handler,
    kind: step.act.includes('failed') || step.act === 'unfinished' ? 'failed' : step.act === 'undone' ? 'undone' : 'done',
    failure: step.failure,
  }));
  place.append(...timeline('Handlers', handlers), ...timeline('Steps', steps));
  if (event.failures.length) {
    place.append(el('h3', {}, 'Failures'), el('ul', {}, ...event.failures.map((failure) =>
      el('li', { class: 'bad' }, failure.owner + ' ' + failure.operation + ': ' + failure.message))));
  }
  place.append(el('p', {}, el('a', { href: '#/events' }, 'All events')));
}

function timeline(title, parts) {
  if (parts.length === 0) {
    return [];
  }
  const all = Math.max(1, parts.reduce((sum, part) => sum + part.micros, 0));
  let before = 0;
  const bars = parts.map((part) => {
    const bar = el('span');
    bar.style.left = Math.min(99, (before / all) * 100) + '%';
    bar.style.width = Math.min(100 - (before / all) * 100, (part.micros / all) * 100) + '%';
    before += part.micros;
    return el('li', { class: part.kind }, el('span', { class: 'name' }, part.name,
      part.failure ? el('div', { class: 'bad' }, part.failure.message) : ''),
    el('span', { class: 'track', 'aria-hidden': 'true' }, bar), el('span', { class: 'soft' }, millis(part.micros) + ' ' + part.note));
  });
  return [el('h3', {}, title), el('ol', { class: 'bars' }, ...bars)];
}

// ---- values ---------------------------------------------------------------------------------

const STATES = ['', 'pending', 'configured', 'failed', 'retrying', 'invalid', 'missing', 'obtained', 'discovered',
  'unimplemented', 'removed', 'unknown'];

export async function drawValues(place, [query]) {
  const params = new URLSearchParams(query ?? '');
  const prefix = params.get('prefix') ?? '';
  const state = params.get('state') ?? '';
  const search = new URLSearchParams({ limit: '500', ...(prefix && { prefix }), ...(state && { state }) });
  const page = await ask('/api/v1/values?' + search);
  const svg = await askText('/api/v1/graph?format=svg&limit=300' + (prefix ? '&prefix=' + encodeURIComponent(prefix) : ''));
  const input = el('input', { id: 'prefix', value: prefix, placeholder: '/', 'data-keep': 'prefix' });
  const select = el('select', { id: 'value-state', 'data-keep': 'value-state' },
    ...STATES.map((one) => el('option', { value: one, selected: one === state ? '' : undefined }, one || 'all states')));
  const form = el('form', { class: 'tools' }, el('label', {}, 'path starts with', input), el('label', {}, 'state', select),
    el('button', {}, 'Show'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    document.activeElement?.blur();
    location.hash = '#/values?' + new URLSearchParams({ prefix: input.value, state: select.value });
  });
  place.append(el('h2', {}, 'Values'), form, picture(svg),
    table(page.found + ' values', [['value'], ['state'], ['is', 'wide'], ['wanted by', 'wide'], ['waits for']],
      page.values.map((value) => el('tr', {}, el('td', {}, valueLink(value.key)), el('td', {}, word(value.state)),
        el('td', { class: 'wide' }, value.applied ?? value.desired ?? ''), el('td', { class: 'wide' }, value.owner),
        el('td', {}, unmet(value))))));
}

function unmet(value) {
  const waits = value.targets.filter((target) => !target.met)
    .map((target) => target.keys.join(', ') || target.label);
  return waits.length ? waits.join('; ') : value.failure?.message ?? value.details.join('; ');
}

/** The controller's picture of the graph. */
function picture(text) {
  const parsed = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  const copy = (from) => {
    const to = document.createElementNS(SVG, from.localName);
    for (const { name, value } of from.attributes) {
      if (!name.startsWith('on') && !name.startsWith('xmlns')) {
        to.setAttribute(name, value);
      }
    }
    for (const child of from.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) {
        to.append(child.data);
      } else if (DRAWN.has(child.localName)) {
        to.append(copy(child));
      }
    }
    return to;
  };
  const svg = copy(parsed);
  svg.addEventListener('click', (event) => {
    const key = event.target.closest('[data-key]')?.dataset.key;
    if (key) {
      location.hash = '#/value/' + encodeURIComponent(key);
    }
  });
  return el('div', { class: 'graph', tabindex: '0', role: 'region', 'aria-label': 'Graph of values; the table below says the same' }, svg);
}

export async function drawValue(place, [encoded]) {
  const key = decodeURIComponent(encoded);
  const all = await ask('/api/v1/explain?what=' + encodeURIComponent(key));
  place.append(el('h2', {}, key), facts([['state', word(all.state)], ['why', all.why], ['next', all.next],
    ['wanted by', all.value?.owner], ['wanted', all.value?.desired], ['applied', all.value?.applied],
    ['descriptor', all.value?.descriptor]]));
  if (all.waitsFor?.length) {
    place.append(table('What waits for what', [['value'], ['needs'], ['which is']], all.waitsFor.map((wait) =>
      el('tr', {}, el('td', {}, wait.value), el('td', {}, wait.needs), el('td', {}, wait.state)))));
  }
  if (all.value) {
    const timeline = await ask('/api/v1/timeline?key=' + encodeURIComponent(key));
    place.append(table('Revisions', [['transaction', 'number'], ['time'], ['state'], ['is']],
      timeline.revisions.map((one) => el('tr', {}, el('td', { class: 'number' }, String(one.transaction)),
        el('td', {}, time(one.time)), el('td', {}, one.gone ? 'gone' : word(one.node.state)),
        el('td', {}, one.node?.applied ?? one.node?.desired ?? '')))));
  }
  for (const event of all.lastTouchedBy.slice(0, 1)) {
    place.append(el('p', {}, 'Last touched by ', el('a', { href: '#/event/' + event.sequence },
      'event ' + event.sequence + ', ' + event.type)));
  }
}

// ---- volumes --------------------------------------------------------------------------------

export async function drawVolumes(place) {
  const page = await ask('/api/v1/volumes?limit=500');
  const locks = (await ask('/api/v1/locks')).locks;
  const backOff = (await ask('/api/v1/back-off')).backOff;
  place.append(el('h2', {}, 'Volumes'),
    table(page.found + ' volumes and snapshots', [['name'], ['kind'], ['state'], ['bytes', 'number'], ['created', 'wide'], ['runs on it']],
      page.volumes.map((volume) => el('tr', {},
        el('td', {}, el('a', { href: '#/value/' + encodeURIComponent(volume.name), 'data-keep': volume.name }, volume.name)),
        el('td', {}, volume.kind), el('td', {}, word(volume.state)),
        el('td', { class: 'number' }, volume.size.toLocaleString()), el('td', { class: 'wide' }, volume.created),
        el('td', {}, [...volume.running.map((one) => one.kind + (one.stage ? ', ' + one.stage : '')),
          ...volume.interrupted.map((one) => 'interrupted: ' + one)].join('; '))))),
    el('h2', {}, 'Locks'),
    table('Locks that are held', [['id'], ['mode'], ['held by'], ['for', 'number'], ['stage']],
      locks.map((lock) => el('tr', {}, el('td', {}, lock.id), el('td', {}, lock.mode), el('td', {}, lock.holder.kind),
        el('td', { class: 'number' }, millis(lock.holder.ageMicros)), el('td', {}, lock.holder.stage ?? '')))),
    table('Refused for a while', [['operation'], ['on'], ['until'], ['since']],
      backOff.map((one) => el('tr', {}, el('td', {}, one.kind), el('td', {}, one.subject), el('td', {}, one.until),
        el('td', {}, one.failure.message)))));
}

// ---- health ---------------------------------------------------------------------------------

export async function drawHealth(place) {
  const status = await ask('/api/v1/status');
  const samples = store.samples;
  const rates = samples.slice(1).map((one, i) => {
    const seconds = Math.max(0.5, (one.at - samples[i].at) / 1000);
    return Math.max(0, ((one.newestEvent ?? 0) - (samples[i].newestEvent ?? 0)) / seconds);
  });
  place.append(el('h2', {}, 'Health'),
    facts([['state', word(status.state)], ['reason', status.reason], ['ready', status.ready ? 'yes' : status.notReady],
      ['last progress', status.lastProgress], ['newest event', String(status.newestEvent ?? '')],
      ['transactions', String(status.transactions)]]),
    el('div', { class: 'charts' },
      chart('events waiting, of ' + status.capacity, samples.map((one) => one.waiting), String(status.waiting)),
      chart('events in a second', rates, (rates.at(-1) ?? 0).toFixed(1)),
      chart('operations running', samples.map((one) => one.operations), String(status.operations)),
      chart('locks held', samples.map((one) => one.locks), String(status.locks)),
      chart('loop held, ms', samples.map((one) => one.heldMicros / 1000), (status.heldMicros / 1000).toFixed(1))));
}

function chart(title, numbers, now) {
  const most = Math.max(1, ...numbers);
  const points = numbers.map((number, i) =>
    (i === 0 ? 'M' : 'L') + ((i / Math.max(1, numbers.length - 1)) * 100).toFixed(2) + ' ' + (29 - (number / most) * 28).toFixed(2));
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 100 30');
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', points.join(' '));
  svg.append(path);
  return el('section', { class: 'chart' }, el('h3', {}, title), el('p', {}, now), svg);
}
