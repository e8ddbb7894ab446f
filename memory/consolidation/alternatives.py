"""Technologies that take each other's place: a project that turns to one leaves the other.

Names of one kind are not enough: React and Tailwind are both frontend, Redis and PostgreSQL both databases, and
live side by side. Only names of one row here are rivals (chosen by hand; a missing row costs a supersession, a
wrong one costs a rule).
"""

from __future__ import annotations

from functools import cache

_ROWS = """
postgresql, mysql, mariadb, sqlite, sql server, oracle, cockroachdb, mongodb, dynamodb, firestore
redis, valkey, memcached
qdrant, milvus, weaviate, pinecone, chroma, pgvector, faiss, lancedb
elasticsearch, opensearch, meilisearch, typesense, algolia, solr
npm, yarn, pnpm, bun
pip, poetry, uv, pipenv, conda, pdm, mamba
react, vue, angular, svelte, solid, preact, ember, qwik, lit
next.js, nuxt, remix, astro, sveltekit, gatsby
tailwind, bootstrap, bulma, styled components
material ui, ant design, chakra ui, shadcn, element plus, vuetify, naive ui
redux, zustand, mobx, pinia, vuex, recoil, jotai
express, fastify, koa, nestjs, hono, hapi, fastapi, django, flask, starlette, tornado, sanic, litestar, rails, laravel
spring, spring boot, quarkus, micronaut
gin, echo, fiber
actix, axum, rocket
jest, vitest, mocha, jasmine, ava, karma
pytest, unittest
playwright, cypress, selenium, puppeteer
eslint, biome
ruff, flake8, pylint
mypy, pyright
aws, gcp, azure
vercel, netlify, heroku, render, fly.io, railway
gpt, claude, gemini, qwen, deepseek, glm, llama, mistral, kimi, grok, doubao
"""


def are_rivals(one: str, other: str) -> bool:
    """Tell whether two canonical names are different technologies of one row."""
    rows = _row_of()
    return one != other and one in rows and rows[one] == rows.get(other)


def rival_names() -> tuple[str, ...]:
    """Return all names of the table."""
    return tuple(_row_of())


@cache
def _row_of() -> dict[str, int]:
    rows = enumerate(_ROWS.strip().split("\n"))
    return {name.strip(): number for number, row in rows for name in row.split(",")}
