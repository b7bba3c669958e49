// The page: which view is shown, the stream of events, the keyboard. The views are in views.js.
import { drawEvents, drawEvent, drawValues, drawValue, drawVolumes, drawHealth } from './views.js';

const MOST_EVENTS = 200;
const SAMPLES = 120;
const main = document.getElementById('main');

export const store = { events: new Map(), samples: [], missed: 0 };

// ---- asking ---------------------------------------------------------------------------------

const token = () => sessionStorage.getItem('evenkeel-token');

function headers() {
  return token() ? { Authorization: 'Bearer ' + token() } : {};
}

class Refused extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

async function answer(path, options = {}) {
  const used = token();
  const response = await fetch(path, { ...options, headers: headers() });
  if (response.status === 401 && token() === used) {
    document.getElementById('login').hidden = false;
  }
  if (!response.ok && response.status !== 503) {
    let text = 'status ' + response.status;
    try {
      text = (await response.json()).detail;
    } catch {
      // it is no problem document: the status must do
    }
    throw new Refused(response.status, text);
  }
  return response;
}

export const ask = async (path) => (await answer(path)).json();
export const askText = async (path) => (await answer(path)).text();

function problem(text) {
  const place = document.getElementById('problem');
  place.hidden = !text;
  place.textContent = text || '';
}

// ---- views ----------------------------------------------------------------------------------

const routes = [
  [/^#\/events$/, drawEvents, 'Events'],
  [/^#\/event\/(\d+)$/, drawEvent, 'Event'],
  [/^#\/values(?:\?(.*))?$/, drawValues, 'Values'],
  [/^#\/value\/(.*)$/, drawValue, 'Value'],
  [/^#\/volumes$/, drawVolumes, 'Volumes'],
  [/^#\/health$/, drawHealth, 'Health'],
];

let view = 0; // the newest drawing; an older one that comes late is not shown

async function draw(moved) {
  const mine = ++view;
  const hash = location.hash || '#/events';
  const route = routes.find(([pattern]) => pattern.test(hash));
  if (!route) {
    location.hash = '#/events';
    return;
  }
  const place = document.createElement('div');
  try {
    await route[1](place, hash.match(route[0]).slice(1));
    problem('');
  } catch (failed) {
    if (mine === view) {
      problem(failed.message);
    }
    if (!moved) {
      return;
    }
  }
  if (mine !== view) {
    return;
  }
  const kept = moved ? null : document.activeElement?.dataset?.keep;
  main.replaceChildren(...place.childNodes);
  document.title = route[2] + ' - Evenkeel';
  for (const link of document.querySelectorAll('nav a')) {
    const here = hash.startsWith(link.getAttribute('href')) || (link.hash === '#/events' && /^#\/event\//.test(hash))
      || (link.hash === '#/values' && /^#\/value\//.test(hash));
    here ? link.setAttribute('aria-current', 'page') : link.removeAttribute('aria-current');
  }
  if (moved) {
    main.focus({ preventScroll: true });
    scrollTo(0, 0);
  } else if (kept) {
    [...main.querySelectorAll('[data-keep]')].find((one) => one.dataset.keep === kept)?.focus();
  }
}

let waiting = 0;

/** Draws again soon, once for all that comes meanwhile; not under somebody's hands. */
export function redraw() {
  if (!waiting) {
    waiting = setTimeout(() => {
      waiting = 0;
      const typing = ['INPUT', 'SELECT'].includes(document.activeElement?.tagName);
      if (!typing) {
        draw(false);
      }
    }, 150);
  }
}

addEventListener('hashchange', () => draw(true));

// ---- the stream -----------------------------------------------------------------------------

export function take(event) {
  store.events.set(event.sequence, event);
  if (store.events.size > MOST_EVENTS) {
    store.events.delete(Math.min(...store.events.keys()));
  }
}

function message(name, data) {
  if (name === 'event') {
    take(JSON.parse(data));
  } else if (name === 'gap') {
    store.missed += JSON.parse(data).missed;
    load();
  }
  sample();
  redraw();
}

/** Reads the stream with fetch, since an EventSource cannot send a token. */
async function listen() {
  for (;;) {
    const used = token();
    try {
      const response = await answer('/api/v1/events/stream');
      if (response.status !== 200) {
        throw new Refused(response.status, 'the stream has no room');
      }
      await load();
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      for (;;) {
        const { done, value } = await reader.read();
        if (done) {
          break;
        }
        const parts = (rest + value).split('\n\n');
        rest = parts.pop();
        for (const part of parts) {
          const field = (name) => part.match(new RegExp('^' + name + ': (.*)$', 'm'))?.[1];
          if (field('data')) {
            message(field('event'), field('data'));
          }
        }
      }
    } catch (failed) {
      if (failed.status === 401) {
        problem('');
        if (token() !== used) {
          continue; // somebody has entered it while this was under way
        }
        await new Promise((go) => document.getElementById('login').addEventListener('submit', go, { once: true }));
        continue;
      }
    }
    state('not connected', 'bad');
    await new Promise((go) => setTimeout(go, 2000));
  }
}

async function load() {
  const page = await ask('/api/v1/events?limit=' + MOST_EVENTS);
  store.events.clear();
  page.events.forEach(take);
  redraw();
}

// ---- health ---------------------------------------------------------------------------------

function state(text, tone) {
  const place = document.getElementById('state');
  if (place.textContent !== text) {
    place.textContent = text;
  }
  place.className = tone;
}

async function sample() {
  try {
    const status = await ask('/api/v1/status');
    state(status.state + (status.ready ? ', ready' : ', not ready'), status.ready ? 'good' : 'bad');
    store.samples.push({ at: performance.now(), ...status });
    store.samples.splice(0, Math.max(0, store.samples.length - SAMPLES));
    if (location.hash === '#/health') {
      redraw();
    }
  } catch (failed) {
    state('not connected', 'bad');
  }
}

// ---- keyboard and colours -------------------------------------------------------------------

function theme() {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const now = document.documentElement.dataset.theme ?? (dark ? 'dark' : 'light');
  const next = now === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset.theme = next;
  localStorage.setItem('evenkeel-theme', next);
}

function move(by) {
  const links = [...main.querySelectorAll('tbody a')];
  const at = links.indexOf(document.activeElement);
  links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
}

document.getElementById('theme').addEventListener('click', theme);
document.getElementById('login').addEventListener('submit', (event) => {
  event.preventDefault();
  sessionStorage.setItem('evenkeel-token', document.getElementById('token').value);
  event.target.hidden = true;
  draw(true);
});
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || ['INPUT', 'SELECT'].includes(event.target.tagName)) {
    return;
  }
  const views = ['#/events', '#/values', '#/volumes', '#/health'];
  if ('1234'.includes(event.key)) {
    location.hash = views[event.key - 1];
  } else if (event.key === 'j') {
    move(1);
  } else if (event.key === 'k') {
    move(-1);
  } else if (event.key === 'Escape') {
    history.back();
  } else if (event.key === 't') {
    theme();
  }
});

if (localStorage.getItem('evenkeel-theme')) {
  document.documentElement.dataset.theme = localStorage.getItem('evenkeel-theme');
}
let ticks = 0;
setInterval(() => (ticks++ % 5 === 0 || location.hash === '#/health') && !document.hidden && sample(), 1000);
sample();
draw(true);
listen();
