"""Whether a cluster answers: Spark tries a dead one for minutes, and then says something else."""

from __future__ import annotations

import os
import pathlib
import re
import socket
import xml.etree.ElementTree
from typing import Mapping

from .. import errors

CONNECT_SECONDS = 5
ANSWER_SECONDS = 10


def check_reachable(master: str, conf: Mapping[str, str]) -> None:
    """Fails where nothing answers at any address of the master."""
    scheme, _, rest = master.partition("://")
    if master.startswith("yarn"):
        return check_yarn(master, conf)
    if scheme not in ("spark", "sc") or not rest:
        return
    port = 15002 if scheme == "sc" else 7077
    addresses = rest.split("/")[0].split(";")[0].split(",")
    failures = [failure_to_connect(address, port) for address in addresses]
    if all(failures):
        raise errors.SparkError(f"--master {master}: nothing answers ({'; '.join(failures)}); is the "
                                "cluster up?")


def failure_to_connect(address: str, default_port: int, asks: bytes = b"") -> str:
    """Empty where somebody listens, and says something if he is asked."""
    # HOST, HOST:PORT or, for IPv6, [HOST]:PORT.
    host, port = re.fullmatch(r"(\[.*\]|[^:]*):?(.*)", address).groups()
    try:
        with socket.create_connection((host.strip("[]"), int(port or default_port)), CONNECT_SECONDS) as peer:
            if not asks:
                return ""
            peer.settimeout(ANSWER_SECONDS)
            peer.sendall(asks)
            peer.recv(1)
            return ""
    except TimeoutError:
        return f"{address}: no answer"
    except ConnectionResetError:
        return ""  # an answer, too
    except (OSError, ValueError) as error:
        return f"{address}: {error}"


def check_yarn(master: str, conf: Mapping[str, str]) -> None:
    settings = yarn_settings(master, conf)
    addresses = resource_managers(settings)
    if any("$" in address for address in addresses):
        return  # a variable of the JVM: Spark will find out
    # A process that hangs still takes connections. Every server of Hadoop answers this, if only to
    # say that it is not meant for browsers.
    failures = [failure_to_connect(address, 8032, b"GET / HTTP/1.0\r\n\r\n") for address in addresses]
    if all(failures):
        raise errors.SparkError(f"--master {master}: the ResourceManager does not answer "
                                f"({'; '.join(failures)}); is YARN up, and is HADOOP_CONF_DIR that of "
                                "the right cluster?")


def yarn_settings(master: str, conf: Mapping[str, str]) -> dict[str, str]:
    """What yarn-site.xml says, and --spark-conf after it."""
    folders = [os.environ[name] for name in ("HADOOP_CONF_DIR", "YARN_CONF_DIR") if os.environ.get(name)]
    if not folders:
        raise errors.SparkError(f"--master {master}: HADOOP_CONF_DIR is not set; set it to the folder "
                                "that has the cluster's yarn-site.xml")
    sites = [path for folder in folders if (path := pathlib.Path(folder, "yarn-site.xml")).is_file()]
    if not sites:
        raise errors.SparkError(f"--master {master}: no yarn-site.xml in {' or '.join(folders)}; set "
                                "HADOOP_CONF_DIR to the folder that has the cluster's")
    settings = {}
    try:
        for entry in xml.etree.ElementTree.parse(sites[0]).iter("property"):
            settings[(entry.findtext("name") or "").strip()] = (entry.findtext("value") or "").strip()
    except (OSError, xml.etree.ElementTree.ParseError) as error:
        raise errors.SparkError(f"{sites[0]}: {error}; mend it, or set HADOOP_CONF_DIR to another "
                                "folder") from None
    for name, value in conf.items():
        if name.startswith("spark.hadoop."):
            settings[name.removeprefix("spark.hadoop.")] = value
    return settings


def resource_managers(settings: Mapping[str, str]) -> list[str]:
    """HOST:PORT of each; with high availability there are several."""
    ids = settings.get("yarn.resourcemanager.ha.rm-ids", "").split(",")
    is_ha = settings.get("yarn.resourcemanager.ha.enabled") == "true"
    addresses = []
    for suffix in [f".{name.strip()}" for name in ids] if is_ha else [""]:
        host = settings.get(f"yarn.resourcemanager.hostname{suffix}", "0.0.0.0")
        address = settings.get(f"yarn.resourcemanager.address{suffix}", f"{host}:8032")
        addresses.append(re.sub(r"\$\{([^}]+)\}", lambda found: settings.get(found[1], found[0]), address))
    return addresses
