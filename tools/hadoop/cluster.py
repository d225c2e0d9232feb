#!/usr/bin/env python3
"""A real Hadoop cluster on this machine: HDFS, YARN with two nodes, and the history server.

    cluster.py up FOLDER JARS      start it; everything it writes is in FOLDER
    cluster.py down FOLDER         stop what `up` started, and nothing else
    cluster.py status FOLDER       0 if all of it runs

It listens on the loopback only, at ports that were free when it started. FOLDER/conf is its
configuration, FOLDER/bin/hadoop the client, FOLDER/env what a shell must export to use it.
"""

import argparse
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

NODES = 2
DAEMONS = {
    "namenode": "org.apache.hadoop.hdfs.server.namenode.NameNode",
    "datanode": "org.apache.hadoop.hdfs.server.datanode.DataNode",
    "resourcemanager": "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager",
    "historyserver": "org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer",
    "nodemanager": "org.apache.hadoop.yarn.server.nodemanager.NodeManager",
}
# Small daemons that start fast, rather than such that serve for months.
JVM_QUICK = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
START_SECONDS = 180


def free_ports(count):
    """All of them at once, so that no two are the same."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def java():
    home = os.environ.get("JAVA_HOME")
    if home:
        return str(Path(home) / "bin/java")
    found = shutil.which("java")
    if not found:
        sys.exit("cluster.py: no java on PATH and no JAVA_HOME; install a JDK 17")
    return str(Path(found).resolve())


def java_home():
    return str(Path(java()).parent.parent)


# --- processes ---------------------------------------------------------------------------------


def birth(pid):
    """When the process started: with it a process id names one process for ever."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] == "Z" else int(fields[19])


def read_processes(folder):
    try:
        return json.loads((folder / "processes.json").read_text())
    except (OSError, ValueError):
        return {}


def living(folder):
    return {name: one["pid"] for name, one in read_processes(folder).items()
            if one["birth"] is not None and birth(one["pid"]) == one["birth"]}


def tasks_of(folder):
    """What a node left running: containers that work in its folders."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            place = os.readlink(entry / "cwd")
            is_container = b"CONTAINER_ID=" in (entry / "environ").read_bytes()
        except OSError:
            continue
        if is_container and place.startswith(f"{folder}/nm"):
            found.append(int(entry.name))
    return found


def end(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def stop(folder):
    """Asks first; what is still there after a while is ended."""
    end(living(folder).values(), signal.SIGTERM)
    deadline = time.monotonic() + 5
    while living(folder) and time.monotonic() < deadline:
        time.sleep(0.1)
    end(living(folder).values(), signal.SIGKILL)
    end(tasks_of(folder), signal.SIGKILL)
    while living(folder):
        time.sleep(0.05)
    (folder / "processes.json").unlink(missing_ok=True)


# --- configuration -----------------------------------------------------------------------------


def write_xml(path, settings):
    from xml.sax.saxutils import escape
    lines = ["<configuration>"]
    for name, value in settings.items():
        lines.append(f"  <property><name>{escape(name)}</name>"
                     f"<value>{escape(str(value))}</value></property>")
    path.write_text("\n".join(lines + ["</configuration>", ""]))


def at(port):
    return f"localhost:{port}"


def configure(folder, jars):
    """Writes conf/ and gives the ports by name."""
    names = ["fs", "nn_http", "dn", "dn_http", "dn_ipc", "rm", "rm_scheduler", "rm_tracker",
             "rm_admin", "rm_http", "jhs", "jhs_http", "jhs_admin"]
    per_node = ["address", "localizer", "webapp", "shuffle", "collector"]
    for node in range(NODES):
        names += [f"nm{node}_{one}" for one in per_node]
    ports = dict(zip(names, free_ports(len(names))))
    conf = folder / "conf"
    conf.mkdir(parents=True, exist_ok=True)
    write_xml(conf / "core-site.xml", {
        "fs.defaultFS": f"hdfs://{at(ports['fs'])}",
        "hadoop.tmp.dir": folder / "tmp",
    })
    write_xml(conf / "hdfs-site.xml", {
        "dfs.replication": 1,
        "dfs.permissions.enabled": "false",
        "dfs.namenode.safemode.extension": 0,
        "dfs.namenode.name.dir": f"file://{folder}/nn",
        "dfs.datanode.data.dir": f"file://{folder}/dn",
        "dfs.namenode.http-address": at(ports["nn_http"]),
        "dfs.datanode.address": at(ports["dn"]),
        "dfs.datanode.http.address": at(ports["dn_http"]),
        "dfs.datanode.ipc.address": at(ports["dn_ipc"]),
    })
    write_xml(conf / "yarn-site.xml", {
        "yarn.resourcemanager.hostname": "localhost",
        "yarn.resourcemanager.address": at(ports["rm"]),
        "yarn.resourcemanager.scheduler.address": at(ports["rm_scheduler"]),
        "yarn.resourcemanager.resource-tracker.address": at(ports["rm_tracker"]),
        "yarn.resourcemanager.admin.address": at(ports["rm_admin"]),
        "yarn.resourcemanager.webapp.address": at(ports["rm_http"]),
        "yarn.resourcemanager.nodemanagers.heartbeat-interval-ms": 200,
        "yarn.nodemanager.aux-services": "mapreduce_shuffle",
        "yarn.nodemanager.vmem-check-enabled": "false",
        # For control groups, and without them it switches the check of memory off.
        "yarn.nodemanager.resource.memory.enforced": "false",
        "yarn.nodemanager.container-monitor.interval-ms": 500,
        "yarn.nodemanager.resource.memory-mb": 5120,
        "yarn.nodemanager.resource.cpu-vcores": 2,
        "yarn.scheduler.minimum-allocation-mb": 256,
        "yarn.application.classpath": f"{conf},{jars}/*",
        # Above 90 % a disk is "bad" and jobs wait for ever.
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage": 99.5,
        "yarn.log-aggregation-enable": "true",
        "yarn.nodemanager.remote-app-log-dir": "/tmp/logs",
        # A node that died is missed in a minute, not in ten; less, and a busy machine loses those that live.
        "yarn.nm.liveness-monitor.expiry-interval-ms": 60000,
        "yarn.am.liveness-monitor.expiry-interval-ms": 120000,
        "yarn.client.nodemanager-connect.max-wait-ms": 5000,
        "yarn.client.nodemanager-connect.retry-interval-ms": 1000,
        "yarn.resourcemanager.rm.container-allocation.expiry-interval-ms": 120000,
    })
    write_xml(conf / "capacity-scheduler.xml", {
        "yarn.scheduler.capacity.root.queues": "default",
        "yarn.scheduler.capacity.root.default.capacity": 100,
        "yarn.scheduler.capacity.maximum-am-resource-percent": 0.5,
    })
    write_xml(conf / "mapred-site.xml", {
        "mapreduce.framework.name": "yarn",
        "mapreduce.application.classpath": f"{jars}/*",
        "yarn.app.mapreduce.am.staging-dir": "/tmp/staging",
        "yarn.app.mapreduce.am.resource.mb": 768,
        "yarn.app.mapreduce.am.command-opts": f"-Xmx512m {JVM_QUICK}",
        "mapreduce.map.memory.mb": 1024,
        "mapreduce.reduce.memory.mb": 1024,
        "mapreduce.map.java.opts": f"-Xmx384m {JVM_QUICK}",
        "mapreduce.reduce.java.opts": f"-Xmx384m {JVM_QUICK}",
        "mapreduce.map.speculative": "false",
        "mapreduce.reduce.speculative": "false",
        "mapreduce.jobhistory.address": at(ports["jhs"]),
        "mapreduce.jobhistory.webapp.address": at(ports["jhs_http"]),
        "mapreduce.jobhistory.admin.address": at(ports["jhs_admin"]),
        "yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms": 200,
        "mapreduce.client.progressmonitor.pollinterval": 300,
        "mapreduce.client.completion.pollinterval": 300,
        "mapreduce.reduce.shuffle.connect.timeout": 5000,
    })
    (conf / "log4j.properties").write_text(
        "log4j.rootLogger=INFO,console\n"
        "log4j.appender.console=org.apache.log4j.ConsoleAppender\n"
        "log4j.appender.console.target=System.err\n"
        "log4j.appender.console.layout=org.apache.log4j.PatternLayout\n"
        "log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %-5p %c{2}: %m%n\n"
        "log4j.logger.org.apache.hadoop.util.NativeCodeLoader=ERROR\n")
    return ports


def write_client(folder, jars):
    """A `hadoop` as a distribution has it, as far as clients use it."""
    binary = folder / "bin"
    binary.mkdir(exist_ok=True)
    lib = folder / "share/hadoop/tools/lib"
    lib.mkdir(parents=True, exist_ok=True)
    for jar in jars.glob("hadoop-streaming-*.jar"):
        place = lib / jar.name
        place.unlink(missing_ok=True)
        place.symlink_to(jar)
    client = binary / "hadoop"
    client.write_text(f"""#!/bin/sh
run() {{
  exec {shlex.quote(java())} {JVM_QUICK} -Xmx512m -Djava.net.preferIPv4Stack=true \\
    -cp {shlex.quote(str(folder / 'conf'))}:{shlex.quote(str(jars))}/'*' "$@"
}}
command=$1
shift
case $command in
  fs) run org.apache.hadoop.fs.FsShell "$@" ;;
  jar) run org.apache.hadoop.util.RunJar "$@" ;;
  classpath) echo {shlex.quote(str(folder / 'conf'))}:{shlex.quote(str(jars))}/'*' ;;
  *) run "$command" "$@" ;;
esac
""")
    client.chmod(0o755)
    (folder / "env").write_text(f"export PATH={shlex.quote(str(binary))}:$PATH\n")


# --- up ----------------------------------------------------------------------------------------


def command(folder, jars, main, *arguments):
    return [java(), "-Djava.net.preferIPv4Stack=true", *JVM_QUICK.split(), "-Xmx256m",
            "-cp", f"{folder}/conf:{jars}/*", main, *arguments]


class Cluster:
    def __init__(self, folder, jars):
        self.folder, self.jars = folder, jars
        self.processes = {}

    def spawn(self, name, main, *arguments):
        log = open(self.folder / "logs" / f"{name}.log", "ab")
        process = subprocess.Popen(
            command(self.folder, self.jars, main, *arguments), stdin=subprocess.DEVNULL,
            stdout=log, stderr=log, cwd=self.folder, start_new_session=True,
            env={**os.environ, "JAVA_HOME": java_home(), "HADOOP_LOG_DIR": str(self.folder / "logs")})
        self.processes[name] = {"pid": process.pid, "birth": birth(process.pid)}
        # Written at once: whoever ends us now must still be able to stop it.
        text = json.dumps(self.processes)
        temporary = self.folder / ".processes.json"
        temporary.write_text(text)
        temporary.replace(self.folder / "processes.json")
        return process

    def start(self, ports):
        format_log = self.folder / "logs/format.log"
        with open(format_log, "wb") as log:
            done = subprocess.run(
                command(self.folder, self.jars, DAEMONS["namenode"], "-format", "-force",
                        "-nonInteractive"), stdout=log, stderr=log, check=False)
        if done.returncode != 0:
            sys.exit(f"cluster.py: formatting failed; see {format_log}")
        started = [self.spawn(name, DAEMONS[name]) for name in
                   ("namenode", "datanode", "resourcemanager", "historyserver")]
        for node in range(NODES):
            p = {one: ports[f"nm{node}_{one}"] for one in
                 ("address", "localizer", "webapp", "shuffle", "collector")}
            settings = {
                "yarn.nodemanager.address": at(p["address"]),
                "yarn.nodemanager.localizer.address": at(p["localizer"]),
                "yarn.nodemanager.webapp.address": at(p["webapp"]),
                "mapreduce.shuffle.port": p["shuffle"],
                "yarn.nodemanager.collector-service.address": at(p["collector"]),
                "yarn.nodemanager.local-dirs": self.folder / f"nm{node}/local",
                "yarn.nodemanager.log-dirs": self.folder / f"nm{node}/logs",
            }
            arguments = [word for name, value in settings.items()
                         for word in ("-D", f"{name}={value}")]
            started.append(self.spawn(f"nodemanager{node}", DAEMONS["nodemanager"], *arguments))
        self.wait(ports, started)

    def wait(self, ports, started):
        nn = f"http://{at(ports['nn_http'])}/jmx?qry=Hadoop:service=NameNode,name="
        wanted = {
            nn + "FSNamesystemState": '"NumLiveDataNodes" : 1',
            nn + "NameNodeInfo": '"Safemode" : ""',
            f"http://{at(ports['rm_http'])}/ws/v1/cluster/metrics": f'"activeNodes":{NODES}',
            f"http://{at(ports['jhs_http'])}/ws/v1/history/info": "hadoopVersion",
        }
        deadline = time.monotonic() + START_SECONDS
        while wanted:
            for process in started:
                if process.poll() is not None:
                    stop(self.folder)
                    sys.exit(f"cluster.py: a daemon ended at once; see {self.folder}/logs")
            if time.monotonic() > deadline:
                stop(self.folder)
                sys.exit(f"cluster.py: not ready after {START_SECONDS} s: {list(wanted)}; "
                         f"see {self.folder}/logs")
            for url, text in list(wanted.items()):
                if text in fetch(url):
                    del wanted[url]
            time.sleep(0.25)


def fetch(url):
    request = urllib.request.Request(url, headers={"Accept": "application/json"})
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=2) as answer:
            return answer.read().decode()
    except OSError:
        return ""


def up(folder, jars):
    if len(living(folder)) == len(DAEMONS) - 1 + NODES:
        print(f"it runs already: . {folder}/env")
        return
    # Whatever a crash left behind: half a cluster is of no use.
    stop(folder)
    if folder.exists():
        shutil.rmtree(folder)
    (folder / "logs").mkdir(parents=True)
    began = time.monotonic()
    ports = configure(folder, jars)
    write_client(folder, jars)
    (folder / "ports.json").write_text(json.dumps(ports))
    Cluster(folder, jars).start(ports)
    print(f"HDFS at hdfs://{at(ports['fs'])}, YARN at http://{at(ports['rm_http'])}, "
          f"history at http://{at(ports['jhs_http'])}: up in {time.monotonic() - began:.0f} s\n"
          f"to use it: . {folder}/env")


def status(folder):
    all_of_it = read_processes(folder)
    alive = living(folder)
    for name in all_of_it:
        print(f"{name:16} {'process ' + str(alive[name]) if name in alive else 'ended'}")
    if len(alive) == len(DAEMONS) - 1 + NODES:
        print(f"to use it: . {folder}/env")
        return 0
    print("it does not run" if not alive else "some of it does not run")
    return 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("action", choices=["up", "down", "status"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("jars", type=Path, nargs="?")
    options = parser.parse_args()
    folder = options.folder.resolve()
    if options.action == "up":
        up(folder, options.jars.resolve())
    elif options.action == "down":
        stop(folder)
    else:
        sys.exit(status(folder))


if __name__ == "__main__":
    main()
